"""A launch of a Triton kernel: what the host got wrong is told in a sentence; numbers are those of a device."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from scratch_kernels import simt
from scratch_kernels.simt import triton_compile, triton_device

HEAD = "import triton\nimport triton.language as tl\n\n\n"
ADD = HEAD + (
    "@triton.jit\ndef add(x, out, n, step, BLOCK: tl.constexpr = 32):\n    c = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\n"
    "    tl.store(out + c, tl.load(x + c, mask=c < n) + step, mask=c < n)\n"
)
NUMBERS = HEAD + (
    "@triton.jit\ndef copy(x, out, n, BLOCK: tl.constexpr):\n    c = tl.arange(0, BLOCK)\n"
    "    v = tl.load(x + c, mask=c < n).to(tl.float32)\n    tl.store(out + c, v.to(out.dtype.element_ty), mask=c < n)\n\n\n"
    "@triton.jit\ndef total(x, out, n, BLOCK: tl.constexpr):\n    c = tl.arange(0, BLOCK)\n    tl.store(out, tl.sum(tl.load(x + c, mask=c < n, other=0.0), axis=0))\n\n\n"
    "@triton.jit\ndef sums(x, out, n, BLOCK: tl.constexpr):\n    c = tl.arange(0, BLOCK)\n    v = tl.load(x + c, mask=c < n, other=0.0)\n"
    "    tl.store(out + c, v + v * v, mask=c < n)\n\n\n"
    "@triton.jit\ndef product(x, out, n, BLOCK: tl.constexpr):\n    r = tl.arange(0, BLOCK)\n    a = tl.load(x + r[:, None] * BLOCK + r[None, :])\n"
    "    tl.store(out + r[:, None] * BLOCK + r[None, :], tl.dot(a, a))\n"
)
X = np.arange(100, dtype=np.float32)


def add(arguments, grid=4, **options):
    return simt.triton(ADD).launch("add", grid, arguments, targets=(), **options)


@functools.cache
def numbers():
    rng = np.random.default_rng(0)
    wide = np.concatenate(
        [rng.normal(size=50), rng.normal(size=10) * 1e-39, [0.0, -0.0, np.inf, -np.inf, 3.4e38]]
    ).astype(np.float32)
    half = np.random.default_rng(1).uniform(0, 4, size=4096).astype(np.float16)
    tile = rng.normal(size=(16, 16)).astype(np.float32)
    short = simt.to_bfloat16(rng.normal(size=64))

    def call(kernel, x, out, n, block):
        return simt.Call(kernel, 1, {"x": x, "out": out, "n": n, "BLOCK": block}, {"targets": ()})

    calls = {
        "rounded": (wide, call("copy", wide, simt.out(65, "bfloat16"), 65, 128)),
        "sum": (half, call("total", half, simt.out(1, "float16"), 4096, 4096)),
        "product": (tile, call("product", tile, simt.out((16, 16)), 256, 16)),
        "short": (short, call("sums", simt.pointer(short, "bfloat16"), simt.out(64, "bfloat16"), 64, 64)),
    }
    made = simt.triton(NUMBERS).launch_all([c for _, c in calls.values()])
    return {word: (given, result) for (word, (given, _)), result in zip(calls.items(), made, strict=True)}


def test_bfloat16_is_rounded_to_nearest_even():
    given, result = numbers()["rounded"]
    assert np.array_equal(result["out"], simt.to_bfloat16(given))
    import torch

    assert np.array_equal(result["out"].view(np.int16), torch.from_numpy(given).bfloat16().view(torch.int16).numpy())


def test_bfloat16_is_rounded_at_every_operation():
    given, result = numbers()["short"]
    v = simt.from_bfloat16(given)
    square = simt.from_bfloat16(simt.to_bfloat16(v * v))
    assert np.array_equal(result["out"], simt.to_bfloat16(v + square))


def test_a_sum_in_half_precision_is_added_up_in_half_precision():
    given, result = numbers()["sum"]
    parts = given
    while parts.size > 1:
        parts = parts[: parts.size // 2] + parts[parts.size // 2 :]
    assert result["out"][0] == parts[0]
    assert float(parts[0]) != np.float16(given.astype(np.float64).sum())


def test_a_product_of_float32_rounds_its_operands_to_tf32():
    given, result = numbers()["product"]
    bits = given.view(np.uint32)
    short = ((bits + ((bits >> 13) & 1) + 0xFFF) & 0xFFFFE000).astype(np.uint32).view(np.float32)
    assert np.allclose(result["out"], short @ short, rtol=1e-6, atol=1e-6)
    assert not np.allclose(result["out"], given @ given, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize(
    ("arguments", "grid", "options", "message"),
    [
        pytest.param({"x": X, "out": simt.out(100), "n": 100}, 4, {}, "no value for `step`", id="one is missing"),
        pytest.param({"x": X, "out": simt.out(100), "n": 100, "step": 1, "y": 1}, 4, {}, "no parameter `y`", id="one too many"),
        pytest.param([X, simt.out(100), 100, 1, 32, 5], 4, {}, "takes 5 arguments", id="too many in a row"),
        pytest.param([X, simt.out(100), 100, 1, 32], 4, {"BLOCK": 32}, "given twice", id="one twice"),
        pytest.param([X, simt.out(100), 100, 1], 0, {}, "at least 1", id="no program"),
        pytest.param([X, simt.out(100), 100, 1], (1, 1, 1, 1), {}, "one to three", id="four dimensions"),
        pytest.param([X, simt.out(100), 100, 1], 1 << 21, {}, "the most here", id="too many programs"),
        pytest.param([X[::2], simt.out(100), 100, 1], 4, {}, "not contiguous", id="an array with gaps"),
        pytest.param([X.astype("c8"), simt.out(100), 100, 1], 4, {}, "no type complex64", id="complex numbers"),
        pytest.param([X, simt.out(100), 100, "one"], 4, {}, "takes no text", id="text"),
        pytest.param([X, simt.out(100), 1 << 70, 1], 4, {}, "fits no integer", id="a number too large"),
        pytest.param([[1.0], simt.out(100), 100, 1], 4, {}, "neither an array nor a number", id="a list"),
        pytest.param([X, simt.out(100), 100, 1], 4, {"warps": 4}, "no launch has an option `warps`", id="no such option"),
        pytest.param([X, simt.out(100), 100, 1], 4, {"schedule": "simdgroup"}, "no schedule", id="no such schedule"),
        pytest.param([simt.pointer(X, offset=101), simt.out(100), 100, 1], 4, {}, "outside its array", id="a pointer past its array"),
    ],
)  # fmt: skip
def test_a_wrong_launch_is_told_in_a_sentence(arguments, grid, options, message):
    with pytest.raises(simt.SimtError) as told:
        add(arguments, grid, **options)
    assert message in str(told.value)


def test_a_kernel_that_is_not_there_is_named_with_those_that_are():
    with pytest.raises(simt.SimtError, match=r"no kernel `ad` in this file \(@triton.jit functions: add\)"):
        simt.triton(ADD).launch("ad", 1, [])


def test_the_host_s_arrays_are_untouched_and_pointers_may_begin_inside():
    x = X.copy()
    result = simt.triton(ADD).launch("add", 1, [simt.pointer(x, offset=40), x, 32, 5], targets=())
    assert np.array_equal(x, X)
    assert np.array_equal(result["x"][:32], X[40:72] + 5)
    assert result.written["x"].sum() == 32


def test_a_specialisation_has_the_values_classes_and_no_values():
    def wanted(n, offset=0):
        pointer = {"kind": "pointer", "buffer": 0, "offset": offset, "dtype": "fp32", "bytes": 400}
        return triton_compile.specialised("k", {"x": pointer, "n": {"kind": "int", "value": n}}, {})

    assert wanted(16) == wanted(160) == wanted(0)
    assert wanted(3) == wanted(-7) == wanted(100_001)
    assert len({str(wanted(n)) for n in (1, 3, 16, 1 << 31, 1 << 35 | 1, (1 << 63) + 1)}) == 6
    assert wanted(3, 4) != wanted(3, 16) == wanted(3)


def test_machine_code_for_a_device_comes_with_what_it_takes():
    library = simt.triton(ADD)
    bound = library._bind(simt.Call("add", 4, [X, simt.out(100), 100, 1]))
    code = triton_compile.code(library._source.text, bound.wanted, "sm_90")
    assert len(code["cubin"]) > 1000
    assert code["name"] == "add"
    # The step is 1 and the block a constexpr: both went into the code.
    taken = triton_device.parameters(code["signature"], bound.order["arguments"])
    assert [(v.name, v.buffer) for v in taken] == [("x", 0), ("out", 1), ("n", -1)]
    assert taken[2].number.tolist() == [100]
    assert taken[2].number.dtype == np.int32


def test_a_device_that_is_not_there_is_told(monkeypatch):
    monkeypatch.setenv("BENCHWRIGHT_DEVICE", "cuda")
    with pytest.raises(simt.ToolchainError):
        add([X, simt.out(100), 100, 1])


def test_the_command_shows_outputs_and_no_inputs_and_counts_registers_in_words(tmp_path):
    from click.testing import CliRunner
    from scratch_kernels import emulator_commands

    (tmp_path / "add.py").write_text(ADD)
    buffers = [
        "--buffer",
        "x=rand:float32:32",
        "--buffer",
        "out=out:float32:32",
        "--value",
        "n=32",
        "--value",
        "step=1",
    ]
    done = CliRunner().invoke(emulator_commands.kernel, ["run", str(tmp_path / "add.py"), "add", *buffers])
    assert done.exit_code == 0, (done.output, done.exception)
    assert "\nout: [" in done.output
    assert "\nx: [" not in done.output
    assert " 1 registers" not in done.output


def test_a_cause_that_several_targets_have_is_told_once():
    source = HEAD + (
        "@triton.jit\ndef f(x, BLOCK: tl.constexpr):\n    c = tl.arange(0, BLOCK)\n    tl.store(x + c, tl.load(x + c) + 1)\n"
    )
    result = simt.triton(source).launch("f", 1, {"x": np.zeros(48, np.float32), "BLOCK": 48})
    (told,) = [f.message for f in result.findings if f.kind == "does_not_compile"]
    assert told.startswith("does not compile for ")
    assert ", " in told.partition(" at line ")[0]
