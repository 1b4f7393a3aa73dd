"""The licensing walk: each side fails where the other lacks something."""

from collections.abc import Callable
from pathlib import Path

import pytest
from scratch_kernels import folder as folders
from scratch_kernels import promises

TESTS = "hidden_tests/test_stable_softmax.py"


@pytest.mark.parametrize("slug", folders.slugs())
def test_promises_and_tests_answer_each_other(slug: str) -> None:
    assert promises.problems(folders.TASKS / slug) == []


SPOILED = {
    "a_promise_without_a_test": ("prompt.md", "Positive infinity does not occur.", "It is fast. [P14]", "no test rests on promise P14"),
    "a_test_without_a_promise": (TESTS, '    """[P5]"""\n', '    """It stays."""\n', "names no promise"),
    "a_test_on_a_promise_not_made": (TESTS, '"""[P5]"""', '"""[P5] [P99]"""', "rests on P99"),
    "a_promise_taken_back": ("prompt.md", " [P5]", "", "rests on P5, which prompt.md does not make"),
    "a_number_twice": ("prompt.md", "[P6]", "[P7]", "numbers two promises P7"),
    "a_prompt_that_hints": ("prompt.md", "Positive infinity", "It is tested hard. Positive infinity", "speaks of `tested`"),
    "a_prompt_that_names_a_test": ("prompt.md", "Positive infinity", "test_the_input_is_left_as_it_was Positive", "prompt.md names test_the_input"),
}  # fmt: skip


@pytest.mark.parametrize("name", SPOILED)
def test_a_side_that_lacks_something_is_told(spoiled: Callable[..., Path], name: str) -> None:
    file, old, new, why = SPOILED[name]
    assert any(why in problem for problem in promises.problems(spoiled(file, old, new)))


def test_numbers_leave_no_trace_in_what_is_sent() -> None:
    assert promises.stripped("It holds. [P3]\nSo does this [P12], too.\n") == "It holds.\nSo does this, too.\n"
