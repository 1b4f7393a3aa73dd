"""Failure shapes: a model's failing tests, named after the recorded mutant that fails the same ones."""

from typing import Any

import msgspec
import pytest
from benchwright import Attempt
from benchwright.records import ModelRef, ProtocolRecord, TaskRef
from scratch_kernels import calibration, mutants, validation
from scratch_kernels import folder as folders

SLUG = "softmax_stability"
FOLDER = folders.TASKS / SLUG
SHAPES = mutants.shapes(FOLDER)


def attempt(model: str, draw: int, failed: tuple[str, ...] = (), **more: Any) -> Attempt:
    made = Attempt(
        run="r", attempt=f"{model}{draw}", draw=draw, score=0.0 if failed else 1.0, failed_checks=list(failed),
        task=TaskRef(f"kernels/{SLUG}", "1", "bw1:0", "warmup", "laptop", "kernels"), model=ModelRef(model),
        outcome="unsolved" if failed else "solved", metrics={}, violations=[], protocol=ProtocolRecord("single", 1),
        usage=None, cost_usd=None, isolation="x", device=None, data=None, environment="", started="", seconds=0.0, files={},
    )  # fmt: skip
    return msgspec.structs.replace(made, **more)


def test_a_failure_that_equals_a_mutant_is_named_after_it() -> None:
    assert SHAPES is not None
    drawn = [attempt("a/b", 1, SHAPES.mutants["log_of_softmax"]), attempt("a/b", 2)]
    found = calibration.calibrate(FOLDER, f"kernels/{SLUG}", drawn)
    (shape,) = found.shapes
    assert "mutant log_of_softmax" in shape["same_as"]
    (entry,) = found.entries
    assert (entry["k"], entry["n"]) == (1, 2)
    assert entry["low"] < 0.5 < entry["high"]


def test_a_failure_near_a_mutant_is_called_like_it() -> None:
    assert SHAPES is not None
    ids = SHAPES.mutants["no_shift"]
    (shape,) = calibration.calibrate(FOLDER, f"kernels/{SLUG}", [attempt("a/b", 1, ids[:-1])]).shapes
    assert shape["same_as"] == []
    assert shape["like"] == "mutant no_shift"


def test_a_failure_like_nothing_known_is_called_nothing() -> None:
    ids = tuple(validation.expected_ids(FOLDER))
    (shape,) = calibration.calibrate(FOLDER, f"kernels/{SLUG}", [attempt("a/b", 1, ids[:1])]).shapes
    assert shape["same_as"] == []
    assert shape["like"] is None


def test_mutants_are_told_with_their_verdict() -> None:
    equivalents = calibration.calibrate(FOLDER, f"kernels/{SLUG}", []).equivalents
    assert equivalents["mutant no_shift"]["caught"] is True
    assert equivalents["mutant zero_where_masked_by_nan_to_num"]["caught"] is False


def test_a_mutant_that_was_run_as_a_model_is_told_once() -> None:
    ids = SHAPES.mutants["no_shift"]
    drawn = [attempt("mutant/no_shift", 1, ids), attempt("mutant/equivalent_zero_where_masked_by_nan_to_num", 1, ())]
    found = calibration.calibrate(FOLDER, f"kernels/{SLUG}", [*drawn, attempt("a/b", 1, ids)])
    assert "mutant no_shift" not in found.equivalents
    assert "mutant zero_where_masked_by_nan_to_num" not in found.equivalents
    assert found.equivalents["mutant/no_shift"]["caught"] is True
    assert found.equivalents["mutant/equivalent_zero_where_masked_by_nan_to_num"]["equivalent"] is True
    assert found.shapes[0]["same_as"] == ["mutant/no_shift"]


def _draws(model: str, solved: int, n: int) -> list[Attempt]:
    return [attempt(model, draw, () if draw < solved else ("t",)) for draw in range(n)]


VERDICTS = {
    "both_at_the_ceiling": ((5, 5), (5, 5), "retire"),
    "one_below": ((5, 5), (3, 5), "admit"),
    "nobody_solves_it": ((0, 5), (0, 5), "warmup"),
    "too_few_draws": ((4, 4), (2, 4), "warmup"),
}


@pytest.mark.parametrize("name", VERDICTS)
def test_the_rule_of_admission_is_mechanical(name: str) -> None:
    (a, n), (b, m), verdict = VERDICTS[name]
    drawn = [attempt("reference", 1), *_draws("x/a", a, n), *_draws("y/b", b, m)]
    assert calibration.calibrate(FOLDER, f"kernels/{SLUG}", drawn).verdict == verdict


def test_one_model_twice_is_one_model() -> None:
    drawn = [attempt("reference", 1), *_draws("x/a", 3, 5), *_draws("x/a[effort=high]", 2, 5)]
    assert calibration.calibrate(FOLDER, f"kernels/{SLUG}", drawn).verdict == "warmup"


def test_a_report_tells_failure_shapes_and_their_reasons() -> None:
    assert SHAPES is not None
    (section,) = calibration.sections("kernels", [attempt("a/b", 1, SHAPES.mutants["no_shift"])])
    (row,) = section.tables[0].rows
    assert row[0] == f"kernels/{SLUG}"
    assert "mutant no_shift: The maximum is never subtracted" in row[-1]


def test_a_report_on_another_suite_says_nothing() -> None:
    assert calibration.sections("weightspace", [attempt("a/b", 1, ("t",))]) == []
