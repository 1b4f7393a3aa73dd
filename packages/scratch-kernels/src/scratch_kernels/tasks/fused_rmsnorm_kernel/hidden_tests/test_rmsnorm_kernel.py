# Benchwright benchmark data, not for training corpora. canary 095d276d-6d74-432c-a3c6-5d97275a7d0e
"""Hidden tests of fused_rmsnorm_kernel.

The kernel runs in the emulator, in a process of its own, from the text of the file. The function runs in the worker, where its
launches are written down; they are then made here. The oracle is float64 with math.fsum.
"""

import functools
import math

import numpy as np
import pytest
from scratch_kernels import simt

FILE = "rmsnorm_kernel.py"
KERNEL = "rmsnorm_fwd_kernel"
TARGETS = ("sm_80", "sm_90", "gfx942")
TYPES = ("float32", "float16", "bfloat16")
WIDTHS = {
    "one_column": 1, "two_columns": 2, "three_columns": 3, "sixteen": 16, "seventeen": 17, "a_hundred": 100, "one_hundred_and_twenty_eight": 128,
    "one_hundred_and_twenty_nine": 129, "five_hundred": 500, "nine_hundred_and_ninety_nine": 999, "one_thousand_and_twenty_four": 1024,
}  # fmt: skip
MIXED = {
    "float32-float32": ("float32", "float32"), "float16-float16": ("float16", "float16"), "bfloat16-bfloat16": ("bfloat16", "bfloat16"),
    "float16-float32": ("float16", "float32"), "float32-bfloat16": ("float32", "bfloat16"),
}  # fmt: skip
EPS = {"none": 0.0, "a_millionth": 1e-6, "a_hundredth": 1e-2, "one": 1.0}


# Numbers of the three types: float32 values that the type holds, and its own bits.


def stored(values, name):
    values = np.asarray(values, np.float32)
    return simt.to_bfloat16(values) if name == "bfloat16" else values.astype(name)


def plain(bits, name):
    return simt.from_bfloat16(bits) if name == "bfloat16" else bits.astype(np.float32)


def exact(x, weight, eps):
    out = np.zeros(x.shape)
    for r, row in enumerate(x.astype(np.float64)):
        values = [float(v) for v in row]
        root = math.sqrt(math.fsum(v * v for v in values) / len(values) + eps)
        out[r] = [v * float(w) / root if root else math.nan for v, w in zip(values, weight, strict=True)]
    return out


def bound(want, name):
    """What the specification allows."""
    size = np.abs(want)
    if name == "float32":
        return 4e-6 * size + 1e-44
    digits, smallest = {"float16": (10, -24), "bfloat16": (7, -133)}[name]
    spacing = 2.0 ** np.maximum(np.floor(np.log2(np.maximum(size, 1e-300))) - digits, smallest)
    return spacing / 2 + 4e-6 * size


def close(got, want, name):
    assert got.shape == want.shape
    np.testing.assert_array_less(np.abs(got.astype(np.float64) - want), bound(want, name) + 1e-300)


# Launches of the kernel itself.


class Case:
    """One launch: rows of `n` columns, `xs` and `os` elements apart."""

    def __init__(self, x, weight, *, types=("float32", "float32"), eps=1e-6, block=1024, xs=None, os=None, gap=9.0, **options):
        self.types, self.eps, self.options = types, eps, options
        self.x, self.weight = (plain(stored(v, t), t) for v, t in zip((x, weight), types, strict=True))
        rows, n = self.x.shape
        self.n, self.xs, self.os = n, xs or n, os or n
        wide = np.full((rows, self.xs), gap, np.float32)
        wide[:, :n] = self.x
        self.given = stored(wide, types[0]), stored(self.weight, types[1])
        self.arguments = {
            "x_ptr": simt.pointer(self.given[0], types[0]), "weight_ptr": simt.pointer(self.given[1], types[1]),
            "out_ptr": simt.pointer(simt.out((rows, self.os), types[0] if types[0] != "bfloat16" else "uint16"), types[0]),
            "x_row_stride": self.xs, "out_row_stride": self.os, "n_cols": n, "eps": eps, "BLOCK_SIZE": block,
        }  # fmt: skip

    def call(self):
        return simt.Call(KERNEL, self.x.shape[0], self.arguments, {"budget": 20_000, "seconds": 20.0, "targets": (), **self.options})


def drawn(rows, n, seed=0, scale=1.0, **more):
    rng = np.random.default_rng([rows, n, seed])
    return Case(rng.normal(size=(rows, n)) * scale, rng.normal(size=n) + 1, **more)


def blocks(n):
    return 1 << (n - 1).bit_length()


@functools.cache
def cases():
    made = {}
    for word, n in WIDTHS.items():
        made["width", word] = drawn(4, n)
    for word, (x_type, weight_type) in MIXED.items():
        made["types", word] = drawn(4, 333, types=(x_type, weight_type))
        made["fine", word] = drawn(3, 999, seed=1, types=(x_type, weight_type), scale=0.01)
    made["block", "just_enough"] = drawn(3, 1, block=1)
    made["block", "one_column_in_many"] = drawn(3, 1, block=16, xs=16, os=5)
    made["block", "one_column_of_bfloat16"] = drawn(3, 1, block=1, types=("bfloat16", "bfloat16"))
    made["block", "very_wide"] = drawn(3, 5000, block=8192)
    made["strides", "both"] = drawn(5, 100, xs=117, os=131)
    made["strides", "of_x"] = drawn(5, 100, xs=117)
    made["strides", "of_out"] = drawn(5, 100, os=131)
    made["strides", "nan_between"] = drawn(5, 99, xs=117, os=131, gap=np.nan)
    for word, eps in EPS.items():
        made["eps", word] = drawn(4, 77, scale=0.05, eps=eps)
    made["size", "large"] = Case(np.linspace(-60000, 60000, 3 * 333).reshape(3, 333), np.linspace(0.01, 1, 333), types=("float16", "float16"))
    made["size", "large_in_float32"] = drawn(3, 333, scale=15000.0)
    made["size", "small"] = drawn(3, 333, scale=1e-9, eps=0.0)
    zeros = np.zeros((3, 77))
    zeros[1] = np.linspace(-1, 1, 77)
    made["zeros", "rows"] = Case(zeros, np.ones(77))
    strange = np.random.default_rng(5).normal(size=(5, 129))
    strange[1, 3], strange[3, 128] = np.nan, np.inf
    made["strange", "rows"] = Case(strange, np.ones(129))
    for schedule in ("shuffled", "ordered", "reversed"):
        made["order", schedule] = drawn(7, 333, seed=2, schedule=schedule)
    made["counts", "rows"] = drawn(16, 4096, block=4096)
    return made


class Kernel:
    """The kernel and the function of this submission."""

    def __init__(self, submission):
        self.submission = submission

    @functools.cached_property
    def library(self):
        return simt.triton(self.submission.box.files[FILE].decode("utf-8", "replace"))

    @functools.cached_property
    def called(self):
        """What each call of the function launched and gave; it runs in the worker."""
        sent = [given.sent() for given in CALLS.values()]
        try:
            return dict(zip(CALLS, self.submission.drive("calls", cases=sent), strict=True))
        except (self.submission.SubmissionError, TypeError, ValueError) as error:
            return dict.fromkeys(CALLS, {"error": str(error) or "no message"})

    @functools.cached_property
    def made(self):
        """Every launch, those of the function too: they are made together, each with memory of its own."""
        wanted = {key: case.call() for key, case in cases().items()}
        for word in LAUNCHING:
            try:
                call = asked(self.called[word])
                self.library.check(call)
            except (AssertionError, LookupError, ValueError, TypeError, AttributeError, simt.SimtError):
                continue
            wanted["call", word] = call
        return dict(zip(wanted, self.library.launch_all(list(wanted.values()), seconds=200), strict=True))

    def built(self, wanted):
        """The machine code of launches, for each target; the values have to be right before that is looked at."""
        calls = [call._replace(options={**call.options, "targets": TARGETS}) for call in wanted.values()]
        return dict(zip(wanted, self.library.build_all(calls), strict=True))

    @functools.cached_property
    def built_alone(self):
        return self.built({" ".join(key): case.call() for key, case in cases().items()})

    @functools.cached_property
    def built_for_the_function(self):
        return self.built({word: asked(self.called[word]) for word in LAUNCHING})

    @functools.cached_property
    def failure(self):
        """Why nothing can be launched, or None: that is found out once."""
        try:
            _ = self.made
        except simt.SimtError as error:
            return error
        return None

    def result(self, *key):
        if self.failure is not None:
            raise self.failure
        return self.made[key]

    def values(self, *key):
        """What a case gave, in float32, without what lies between the rows."""
        case, result = cases()[key], self.result(*key)
        assert not result.stopped, result.stopped
        return plain(result["out_ptr"], case.types[0])[:, : case.n]

    def right(self, *key):
        """That a case gave the right values and left its inputs; returns it with its result."""
        case, result = cases()[key], self.result(*key)
        close(self.values(*key), exact(case.x, case.weight, case.eps), case.types[0])
        for name, given in zip(("x_ptr", "weight_ptr"), case.given, strict=True):
            assert result[name].tobytes() == given.tobytes(), f"the kernel wrote to {name}"
        return case, result

    def clean(self, *key):
        """That the values are right and no rule of the language is broken on the way."""
        case, result = self.right(*key)
        assert not result.errors, result.errors[0].message
        return case, result

    def told(self, word):
        """What one call launched and gave."""
        row = self.called[word]
        assert row["error"] == "", row["error"]
        return row

    def works(self, word):
        """That a call of the function gives the right values; returns it with its launch."""
        case, row = CALLS[word], self.told(word)
        place = row["result"]
        assert place["type"] == case.types[0]
        assert place["shape"] == case.x.shape
        only_launch(row)
        if self.failure is not None:
            raise self.failure
        if ("call", word) not in self.made:
            self.library.check(asked(row))
            raise AssertionError("the launch cannot be made")
        result = self.made["call", word]
        assert not result.stopped, result.stopped
        want = exact(case.x, case.weight, 1e-6 if case.eps is None else case.eps)
        close(plain(given_back(row, result), place["type"]), want, place["type"])
        for name in ("x_ptr", "weight_ptr"):
            assert not result.written[name].any(), f"the kernel wrote to {name}"
        return row, result


@pytest.fixture(scope="session")
def kernel(submission):
    return Kernel(submission)


@pytest.mark.parametrize("width", WIDTHS)
def test_the_values_are_right_for_any_width(kernel, width):
    """[P1] [P2] [P5]"""
    kernel.right("width", width)


@pytest.mark.parametrize("block", ["just_enough", "one_column_in_many", "one_column_of_bfloat16", "very_wide"])
def test_any_block_that_holds_the_row_will_do(kernel, block):
    """[P2]"""
    kernel.clean("block", block)


@pytest.mark.parametrize("types", MIXED)
def test_the_values_are_right_in_every_type(kernel, types):
    """[P4]"""
    kernel.right("types", types)


@pytest.mark.parametrize("types", MIXED)
def test_a_value_is_rounded_once(kernel, types):
    """[P5]"""
    kernel.right("fine", types)


@pytest.mark.parametrize("strides", ["both", "of_x", "of_out"])
def test_the_two_strides_are_independent(kernel, strides):
    """[P3]"""
    kernel.clean("strides", strides)


def test_what_lies_between_the_rows_is_left_alone(kernel):
    """[P3]"""
    case, result = kernel.clean("strides", "nan_between")
    assert not result.written["out_ptr"][:, case.n :].any()
    assert result.counts.load_bytes["x_ptr"] <= 4 * case.x.size


@pytest.mark.parametrize("eps", EPS)
def test_eps_is_added_to_the_mean_under_the_root(kernel, eps):
    """[P7]"""
    kernel.right("eps", eps)


@pytest.mark.parametrize("size", ["large", "large_in_float32", "small"])
def test_entries_of_any_size_are_squared_without_loss(kernel, size):
    """[P6]"""
    kernel.right("size", size)


def test_a_row_of_zeros_becomes_zeros(kernel):
    """[P7]"""
    kernel.right("zeros", "rows")
    assert not kernel.values("zeros", "rows")[[0, 2]].any()


def test_a_strange_row_shows_in_no_other(kernel):
    """[P8]"""
    case = cases()["strange", "rows"]
    rows = [0, 2, 4]
    close(kernel.values("strange", "rows")[rows], exact(case.x[rows], case.weight, case.eps), "float32")


@pytest.mark.parametrize("width", ["one_column", "seventeen", "a_hundred", "nine_hundred_and_ninety_nine", "one_thousand_and_twenty_four"])
def test_no_rule_of_the_language_is_broken(kernel, width):
    """[P10]"""
    kernel.clean("width", width)


@pytest.mark.parametrize("types", MIXED)
def test_no_rule_is_broken_in_any_type(kernel, types):
    """[P4] [P10]"""
    kernel.clean("types", types)


def compiled(builds, target):
    for word, made in builds.items():
        (build,) = (b for b in made if b.target == target)
        assert build.ok, f"{word}: line {build.line}: {build.why}"


@pytest.mark.parametrize("target", TARGETS)
def test_every_launch_compiles(kernel, target):
    """[P9]"""
    for word in WIDTHS:
        kernel.right("width", word)
    compiled(kernel.built_alone, target)


def test_any_order_of_programs_gives_the_same_bits(kernel):
    """[P10]"""
    _, first = kernel.clean("order", "shuffled")
    for schedule in ("ordered", "reversed"):
        _, result = kernel.clean("order", schedule)
        assert result["out_ptr"].tobytes() == first["out_ptr"].tobytes()


@pytest.mark.parametrize("types", MIXED)
def test_the_kernel_leaves_its_inputs_as_they_are(kernel, types):
    """[P10]"""
    _, result = kernel.right("types", types)
    assert not result.written["x_ptr"].any()
    assert not result.written["weight_ptr"].any()


def test_every_entry_is_written(kernel):
    """[P1]"""
    for word in WIDTHS:
        _, result = kernel.right("width", word)
        assert result.unwritten["out_ptr"] == 0


def test_the_programs_share_the_work(kernel):
    """[P11]"""
    _, result = kernel.right("counts", "rows")
    # One program a row gives 16 exactly; a quarter is left for programs that do a little more than others.
    assert result.counts.active_programs >= 12


def test_each_entry_of_a_row_is_read_once(kernel):
    """[P12]"""
    case, result = kernel.right("counts", "rows")
    assert result.counts.load_bytes["x_ptr"] <= 4 * case.x.size


def test_each_weight_is_read_once_by_a_program(kernel):
    """[P12]"""
    case, result = kernel.right("counts", "rows")
    assert result.counts.load_bytes["weight_ptr"] <= 4 * case.x.size


def test_each_entry_of_the_output_is_written_once(kernel):
    """[P12]"""
    case, result = kernel.right("counts", "rows")
    assert result.counts.store_bytes["out_ptr"] <= 4 * case.x.size
    assert result.counts.load_bytes["out_ptr"] == 0
    assert result.counts.store_bytes["x_ptr"] == result.counts.store_bytes["weight_ptr"] == 0


# The function: it runs in the worker, its launches here.


class Given:
    """One call of `rmsnorm`."""

    def __init__(self, rows, n, types=("float32", "float32"), eps=None, stride=None, seed=3, scale=1.0):
        rng = np.random.default_rng([rows, n, seed])
        self.types, self.eps = types, eps
        self.x, self.weight = (
            plain(stored(v, t), t) for v, t in zip((rng.normal(size=(rows, n)) * scale, rng.normal(size=n) + 1), types, strict=True)
        )
        self.stride = stride or n

    def sent(self):
        signed = [v.view(np.int16) if t == "bfloat16" else v for v, t in zip((stored(self.x, self.types[0]), stored(self.weight, self.types[1])), self.types, strict=True)]
        return signed[0], self.types[0], self.stride, signed[1], self.types[1], self.eps


CALLS = {
    "square": Given(33, 33), "one_column": Given(5, 1), "one_row": Given(1, 100), "wide": Given(3, 8192), "not_a_power": Given(4, 777),
    "float16": Given(6, 100, ("float16", "float16")), "bfloat16": Given(6, 100, ("bfloat16", "bfloat16")), "mixed": Given(6, 100, ("bfloat16", "float32")),
    "strided": Given(5, 100, stride=160), "strided_float16": Given(5, 33, ("float16", "float16"), stride=47), "own_eps": Given(4, 64, eps=0.5),
    "default_eps": Given(4, 64, scale=1e-3), "no_rows": Given(0, 64),
}  # fmt: skip
LAUNCHING = [word for word in CALLS if word != "no_rows"]
def elements(raw, name):
    return np.frombuffer(raw.tobytes(), "<u2" if name == "bfloat16" else name)


def view(flat, place):
    """The elements of a tensor in the memory that it lies in."""
    index = np.full(place["shape"], place["offset"])
    for axis, (size, stride) in enumerate(zip(place["shape"], place["stride"], strict=True)):
        index = index + (np.arange(size) * stride).reshape([-1 if a == axis else 1 for a in range(len(place["shape"]))])
    assert index.size == 0 or (index.min() >= 0 and index.max() < flat.size)
    return flat[index]


def only_launch(row):
    assert len(row["launches"]) == 1, f"{len(row['launches'])} launches"
    (launch,) = row["launches"]
    assert launch["kernel"] == KERNEL
    return launch


def asked(row):
    """A launch as it was asked for: over the memory that was there, the output's poisoned."""
    launch = only_launch(row)
    result = row["result"]
    arrays = {}
    arguments, options = {}, {}
    names = ("x_ptr", "weight_ptr", "out_ptr", "x_row_stride", "out_row_stride", "n_cols", "eps", "BLOCK_SIZE")
    for name, (kind, value) in launch["arguments"].items():
        if kind == "value":
            assert value is None or type(value) in (bool, int, float, str)
            (arguments if name in names else options)[name] = value
            continue
        number, type_ = value["storage"], value["type"]
        assert type_ in TYPES
        if number not in arrays:
            flat = elements(row["memory"][number], type_)
            arrays[number] = simt.out(flat.shape, flat.dtype) if number == result["storage"] else np.array(flat)
        arguments[name] = simt.pointer(arrays[number], type_, value["offset"])
    return simt.Call(KERNEL, launch["grid"], arguments, {"budget": 20_000, "seconds": 20.0, "targets": (), **options})


def given_back(row, result):
    """The tensor that the function gave, as the launch left it."""
    launch, place = only_launch(row), row["result"]
    kind, out = launch["arguments"]["out_ptr"]
    assert kind == "tensor"
    assert out["storage"] == place["storage"], "what is given back is not what the kernel wrote to"
    assert view(result.written["out_ptr"].reshape(-1), place).all(), "entries of the result were not written"
    return view(result["out_ptr"].reshape(-1), place)


@pytest.mark.parametrize("call", LAUNCHING)
def test_the_function_normalises(kernel, call):
    """[P13]"""
    kernel.works(call)


@pytest.mark.parametrize("call", LAUNCHING)
def test_the_function_launches_the_kernel_once_over_all_rows(kernel, call):
    """[P14] [P17]"""
    row, result = kernel.works(call)
    assert tuple(only_launch(row)["grid"]) in {(CALLS[call].x.shape[0],) + (1,) * more for more in range(3)}
    assert not result.errors, result.errors[0].message


@pytest.mark.parametrize("call", LAUNCHING)
def test_the_kernel_gets_the_entries_as_they_were_given(kernel, call):
    """[P14]"""
    case = CALLS[call]
    row, _ = kernel.works(call)
    arguments = only_launch(row)["arguments"]
    (_, x), (_, weight), (_, stride) = arguments["x_ptr"], arguments["weight_ptr"], arguments["x_row_stride"]
    assert (x["type"], weight["type"]) == case.types
    rows, n = case.x.shape
    flat = elements(row["memory"][x["storage"]], x["type"])
    got = view(flat, {"shape": (rows, n), "stride": (stride, 1), "offset": x["offset"]})
    np.testing.assert_array_equal(plain(got, x["type"]), case.x)
    flat = elements(row["memory"][weight["storage"]], weight["type"])
    got = view(flat, {"shape": (n,), "stride": (1,), "offset": weight["offset"]})
    np.testing.assert_array_equal(plain(got, weight["type"]), case.weight)


@pytest.mark.parametrize("target", TARGETS)
def test_the_launches_of_the_function_compile(kernel, target):
    """[P9] [P13]"""
    for word in LAUNCHING:
        kernel.works(word)
    compiled(kernel.built_for_the_function, target)


def test_a_tensor_without_rows_gives_an_empty_one(kernel):
    """[P15]"""
    row = kernel.told("no_rows")
    assert row["result"]["shape"] == (0, 64)
    assert row["result"]["type"] == "float32"
    assert row["launches"] == []


@pytest.mark.parametrize("call", ["square", "strided", "bfloat16"])
def test_the_function_gives_a_new_tensor_and_leaves_its_inputs(kernel, call):
    """[P13] [P16]"""
    row, _ = kernel.works(call)
    assert row["unchanged"]
    assert row["new"]
    assert row["device"] == "cpu"
