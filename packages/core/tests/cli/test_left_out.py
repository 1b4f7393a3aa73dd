"""Tasks that wait for something are told at a run's end, whoever knows what is missing."""

from types import SimpleNamespace
from typing import Any

from benchwright.cli.run import _left_out
from benchwright.engine.requirements import Missing


def gap(name: str) -> Missing:
    return Missing(f"module:{name}", "needs_dependency", f"pip install {name}")


def ended(task: str, outcome: str, reason: str = "") -> SimpleNamespace:
    return SimpleNamespace(task=SimpleNamespace(id=task), outcome=outcome, reason=reason)


def told(gaps: Any, *attempts: SimpleNamespace) -> list[str]:
    done: Any = SimpleNamespace(attempts=attempts)
    return list(_left_out(gaps, done))


def test_a_task_that_needs_two_things_is_one_task() -> None:
    gaps = {"module:triton": (gap("triton"), ["a"]), "module:torch": (gap("torch"), ["a"])}
    assert told(gaps, ended("a", "needs_dependency", "needs module:torch")) == [
        "Left out: 1 task in need of module:torch and module:triton. To add: pip install torch; pip install triton"
    ]


def test_what_only_the_grading_knew_to_be_missing_is_told_once_for_all_its_tasks() -> None:
    attempts = [ended(task, "needs_dependency", "No compiler here: install one.") for task in ("a", "b", "a")]
    assert told({}, *attempts, ended("c", "solved"), ended("d", "harness_error", "broke")) == [
        "Left out: 2 tasks. No compiler here: install one."
    ]
