"""`mutant/NAME` is asked for by a name that some task has, and a task without it is an error of the run."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import pytest
from benchwright.errors import ModelError, UserError
from scratch_kernels import folder, wrong_models


@pytest.mark.parametrize(("name", "words"), [("nope", "No kernels task has a mutant `nope`."), ("", "takes a name")])
def test_a_name_that_no_task_has_is_refused_before_the_run(name: str, words: str) -> None:
    with pytest.raises(UserError) as told:
        wrong_models.mutant(name, {}, {})
    assert words in str(told.value)
    assert told.value.exit_code == 2


def test_the_names_are_those_of_the_programs_of_every_task() -> None:
    every = {name for slug in folder.slugs() for name in wrong_models.programs(folder.TASKS / slug)}
    assert wrong_models.names() == every
    assert len(every) > 100


def test_a_task_without_the_program_ends_in_an_error_of_the_run() -> None:
    own = wrong_models.programs(folder.TASKS / "softmax_stability")
    foreign = next(name for name in sorted(wrong_models.names()) if name not in own)
    ask = cast("Any", SimpleNamespace(spec=SimpleNamespace(id="kernels/softmax_stability", submission="python-file")))
    with pytest.raises(ModelError, match=f"has no mutant `{foreign}`") as told:
        asyncio.run(wrong_models.mutant(foreign, {}, {}).reply(ask))
    assert told.value.outcome == "harness_error"
