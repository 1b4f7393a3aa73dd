"""Calling a submission: what a test sees through the proxy is what it would see in one process."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from benchwright.records import Limits
from benchwright.sandbox import SubmissionError
from benchwright.sandbox.box import Box
from benchwright.sandbox.proxy import Handle
from benchwright.sandbox.sandbox import Sandbox

SOURCE = b'''
import numpy as np
from collections import namedtuple
from dataclasses import dataclass
import helper

CONSTANT = {"a": [1, 2.5]}
Point = namedtuple("Point", "x y")
log = []


class TooSmall(ValueError):
    """Raised for small things."""


class MuchTooSmall(TooSmall):
    pass


class Sampler:
    """A class with state."""

    kind = "sampler"

    def __init__(self, n, scale=1):
        self.n = n
        self.data = np.arange(n) * scale

    def add(self, k):
        self.n += k
        return self

    def total(self):
        return self.data.sum()

    @property
    def double(self):
        return 2 * self.n

    @classmethod
    def of(cls, n):
        return cls(n)

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        return self.data[i]

    def __contains__(self, v):
        return v in self.data

    def __iter__(self):
        return iter(self.data.tolist())

    def __call__(self, x):
        return x + self.n


@dataclass
class Record:
    a: int
    b: list


def add(a, b=1, *rest, **named):
    return a + b + sum(rest) + sum(named.values())


def point(x, y):
    return Point(x, y)


def record():
    return Record(1, [2])


def bump(x):
    x += 1


def sort_in_place(items, array):
    array.sort()
    return array


def count_to(n):
    for i in range(n):
        log.append(i)
        got = yield i
        if got:
            log.append(got)
    return "done"


def apply(function, values):
    return [function(v) for v in values]


def swallow(function):
    try:
        function()
    except BaseException:
        pass
    return "swallowed"


def adder(n):
    return lambda x: x + n


def draw(rng, n):
    return rng.random(n)


def fail(kind):
    raise {"small": TooSmall, "much": MuchTooSmall, "key": KeyError, "os": FileNotFoundError, "assert": AssertionError,
           "exit": SystemExit, "keyboard": KeyboardInterrupt, "memory": MemoryError, "unicode": UnicodeDecodeError}[kind](
        *(("utf-8", b"x", 0, 1, "bad") if kind == "unicode" else ("because",)))


def logged():
    return list(log)


def same(x):
    return x


def helped():
    return helper.VALUE
'''


@pytest.fixture(scope="module")
def box(sandbox: Sandbox) -> Iterator[Box]:
    files = {"sub.py": SOURCE, "helper.py": b"VALUE = 42\n"}
    with sandbox.open(files, imports=("numpy",), limits=Limits(seconds=120)) as opened:
        yield opened


@pytest.fixture
def sub(box: Box) -> Any:
    return box.load("sub.py")


def test_functions_take_positional_and_named_arguments(sub: Any) -> None:
    assert sub.add(1) == 2
    assert sub.add(1, b=5) == 6
    assert sub.add(1, 2, 3, z=4) == 10


def test_another_file_of_the_submission_can_be_imported(sub: Any) -> None:
    assert sub.helped() == 42


def test_constants_and_namedtuples_are_values(sub: Any) -> None:
    assert sub.CONSTANT == {"a": [1, 2.5]}
    assert sub.point(1, y=2).y == 2


def test_a_name_that_is_not_there_is_an_attribute_error(sub: Any) -> None:
    with pytest.raises(AttributeError, match=r"sub\.py defines no 'nothing'"):
        _ = sub.nothing
    assert "Sampler" in dir(sub)


def test_instances_keep_state_and_have_their_class(sub: Any) -> None:
    sampler = sub.Sampler(3, scale=2)
    assert isinstance(sampler, sub.Sampler)
    assert sampler.total() == 6
    assert sampler.add(4) is not None
    assert sampler.n == 7
    assert sampler.double == 14
    sampler.n = 3
    assert len(sampler) == 3
    assert sampler[1] == 2
    assert 4 in sampler
    assert 5 not in sampler
    assert list(sampler) == [0, 2, 4]
    assert sampler(10) == 13
    assert isinstance(sub.Sampler.of(2), sub.Sampler)
    assert sub.Sampler.kind == "sampler"
    assert sub.record().b == [2]


def test_a_handle_goes_home_as_the_object_it_is(sub: Any) -> None:
    sampler = sub.Sampler(3)
    assert sub.same(sampler) == sampler
    assert sub.add(sub.apply(sampler, [1])[0], 1) == 5


def test_a_handle_is_no_value(sub: Any) -> None:
    sampler = sub.Sampler(3)
    for misuse in (lambda: sampler == 3, lambda: sampler != 3, lambda: bool(sampler), lambda: np.asarray(sampler)):
        with pytest.raises(TypeError):
            misuse()
    assert isinstance(sampler, Handle)


def test_a_method_that_is_not_there_raises_as_it_does_there(sub: Any) -> None:
    with pytest.raises(AttributeError):
        sub.Sampler(1).nothing()


def test_generators_are_lazy(sub: Any) -> None:
    before = len(sub.logged())
    numbers = sub.count_to(1000)
    assert next(numbers) == 0
    assert next(numbers) == 1
    assert len(sub.logged()) == before + 2
    short = sub.count_to(2)
    assert list(short) == [0, 1]
    with pytest.raises(StopIteration):
        next(short)


def test_callbacks_run_here_and_their_count_is_true(sub: Any) -> None:
    seen = []
    assert sub.apply(lambda v: seen.append(v) or v * 2, [1, 2, 3]) == [2, 4, 6]
    assert seen == [1, 2, 3]


def test_a_callback_may_call_the_submission_again(sub: Any) -> None:
    assert sub.apply(lambda v: sub.add(v, 10), [1, 2]) == [11, 12]


def test_a_callback_that_raises_ends_the_call_with_its_own_exception(sub: Any) -> None:
    class Mine(Exception):
        pass

    def callback(_: Any) -> None:
        raise Mine("here")

    with pytest.raises(Mine, match="here"):
        sub.apply(callback, [1])
    assert sub.add(1) == 2


def test_a_failed_check_in_a_callback_cannot_be_swallowed(sub: Any) -> None:
    def callback() -> None:
        raise AssertionError("this must fail the test")

    with pytest.raises(AssertionError, match="must fail"):
        sub.swallow(callback)
    assert sub.swallow(lambda: 1 / 0) == "swallowed"


def test_closures_can_be_called(sub: Any) -> None:
    assert sub.adder(3)(4) == 7


def test_changes_of_arguments_come_back(sub: Any) -> None:
    x = np.zeros((2, 3))
    view = x[:, ::2]
    sub.bump(view)
    assert x.tolist() == [[1, 0, 1], [1, 0, 1]]
    fortran = np.asfortranarray(np.arange(6.0).reshape(2, 3))
    sub.bump(fortran)
    assert np.array_equal(fortran, np.arange(6.0).reshape(2, 3) + 1)
    flags = np.array([True, False])
    with pytest.raises(TypeError):
        sub.bump(flags)


def test_a_read_only_argument_cannot_be_changed(sub: Any) -> None:
    x = np.zeros(3)
    x.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        sub.bump(x)


def test_an_argument_given_back_is_the_argument(sub: Any) -> None:
    x = np.array([3, 1, 2])
    assert sub.sort_in_place([], x) is x
    assert x.tolist() == [1, 2, 3]


def test_a_generator_of_numbers_is_advanced(sub: Any) -> None:
    ours, theirs = np.random.default_rng(5), np.random.default_rng(5)
    assert np.array_equal(sub.draw(theirs, 7), ours.random(7))
    assert theirs.random() == ours.random()


@pytest.mark.parametrize(
    ("kind", "caught"),
    [
        ("key", KeyError),
        ("os", FileNotFoundError),
        ("small", ValueError),
        ("unicode", UnicodeDecodeError),
        ("memory", MemoryError),
    ],
)
def test_built_in_exceptions_are_caught_by_name(sub: Any, kind: str, caught: type[Exception]) -> None:
    with pytest.raises(caught) as told:
        sub.fail(kind)
    assert isinstance(told.value, SubmissionError)


def test_exceptions_of_the_submission_are_classes_here(sub: Any) -> None:
    with pytest.raises(sub.TooSmall, match="because"):
        sub.fail("much")
    with pytest.raises(sub.MuchTooSmall):
        sub.fail("much")
    with pytest.raises(sub.TooSmall) as told:
        sub.fail("small")
    assert not isinstance(told.value, sub.MuchTooSmall)
    assert told.value.type_name == "TooSmall"
    assert "fail" in told.value.traceback_text


@pytest.mark.parametrize("kind", ["assert", "exit", "keyboard"])
def test_exceptions_that_could_change_a_verdict_are_errors_of_the_submission(sub: Any, kind: str) -> None:
    with pytest.raises(SubmissionError) as told:
        sub.fail(kind)
    assert not isinstance(told.value, AssertionError | SystemExit | KeyboardInterrupt)


def test_what_a_submission_says_cannot_steer_a_terminal(sandbox: Sandbox) -> None:
    source = b"def f():\n    raise ValueError('\\x1b[2Jgone\\x07\\nnext\\x9b')\n"
    with sandbox.open({"m.py": source}) as box, pytest.raises(ValueError, match="gone") as told:
        box.load("m.py").f()
    assert str(told.value) == "\\x1b[2Jgone\\x07\nnext\\x9b"
    assert "\x1b" not in told.value.traceback_text + told.value.evaluation().reason


def test_a_batch_is_one_call_a_tuple(box: Box, sub: Any) -> None:
    assert box.batch(sub.add, [(n, n) for n in range(1000)]) == [2 * n for n in range(1000)]
    sampler = sub.Sampler(4)
    assert box.batch(sampler.total, [(), ()]) == [6, 6]
    assert box.batch(sampler, [(1,), (2,)]) == [5, 6]
    with pytest.raises(TypeError):
        box.batch(len, [([],)])


def test_a_driver_runs_in_a_fresh_worker_and_returns_plain_values(box: Box, sub: Any) -> None:
    sub.count_to(1).__next__()
    source = (
        "import sub\ndef drive(n):\n    sub.log.append(n)\n    return sub.logged()\ndef other():\n    return object()\n"
    )
    assert box.drive(source, n=3) == [3]
    with pytest.raises(SubmissionError, match="object"):
        box.drive(source, "other")


def test_objects_that_are_let_go_here_are_let_go_there(sandbox: Sandbox) -> None:
    source = b"import gc\nclass A: pass\ndef make(): return A()\ndef alive():\n    gc.collect()\n    return sum(type(o) is A for o in gc.get_objects())\n"
    with sandbox.open({"m.py": source}) as box:
        module = box.load("m.py")
        for _ in range(20):
            module.make()
        assert module.alive() <= 1


def test_what_is_not_plain_cannot_be_passed(sub: Any) -> None:
    with pytest.raises(TypeError, match="object"):
        sub.same(object())


def test_the_submission_reads_its_standard_input_as_empty_and_its_prints_are_kept(sandbox: Sandbox) -> None:
    source = b"import sys\ndef f():\n    print('seen', repr(sys.stdin.read()))\n    print('wrong', file=sys.stderr)\n"
    with sandbox.open({"m.py": source}) as box:
        box.load("m.py").f()
        assert box.printed() == "seen ''\nwrong\n"


def test_two_boxes_at_once_do_not_see_each_other(sandbox: Sandbox) -> None:
    source = b"state = []\ndef put(v):\n    state.append(v)\n    return state\nimport os\ndef here(): return os.getcwd(), os.listdir('..') if os.access('..', os.R_OK) else None\n"
    with sandbox.open({"m.py": source}) as one, sandbox.open({"m.py": source}) as two:
        assert one.load("m.py").put(1) == [1]
        assert two.load("m.py").put(2) == [2]
        assert one.load("m.py").put(3) == [1, 3]


def test_a_file_that_is_missing_or_badly_named_is_the_submissions_error(sandbox: Sandbox) -> None:
    with sandbox.open({"m.py": b""}) as box, pytest.raises(SubmissionError, match="no file"):
        box.load("other.py")
    for name in ("../m.py", "/m.py", "a/../../m.py", "a\\b.py", ""):
        with pytest.raises(SubmissionError, match="called"):
            sandbox.open({name: b""})
