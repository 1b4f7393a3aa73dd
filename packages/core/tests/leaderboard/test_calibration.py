"""What a task measures, from counts."""

from __future__ import annotations

import board_files as b
import msgspec
import pytest
from benchwright.leaderboard.calibration import from_counts, mutants
from benchwright.leaderboard.markdown import mutant_rows


def drawn(model, solved, draws=5, **fields):
    return [
        b.attempt("a", model=model, draw=draw, outcome="solved" if draw <= solved else "unsolved", **fields)
        for draw in range(1, draws + 1)
    ]


REFERENCE = drawn("reference", 1, 1)


@pytest.mark.parametrize(
    ("attempts", "verdict", "reason"),
    [
        (drawn("p/x", 3), "unvalidated", "no reference"),
        (REFERENCE, "warmup", "0 of 2 models"),
        (REFERENCE + drawn("p/x", 5) + drawn("p/y", 2, 4), "warmup", "1 of 2 models"),
        (REFERENCE + drawn("p/x[effort=low]", 5) + drawn("p/x[effort=high]", 2), "warmup", "1 of 2 models"),
        (REFERENCE + drawn("p/x", 0) + drawn("p/y", 0), "warmup", "nobody"),
        (REFERENCE + drawn("p/x", 5) + drawn("p/y", 5) + drawn("p/z", 0), "retire", "both solve every draw"),
        (REFERENCE + drawn("p/x", 5) + drawn("p/y", 4), "admit", "p/x solves 100%, p/y 80%"),
        (REFERENCE + drawn("p/x", 1) + drawn("p/y", 0), "admit", "p/x solves 20%, p/y 0%"),
    ],
)
def test_admission_is_mechanical(attempts, verdict, reason):
    got = from_counts("kernels/a", attempts)
    assert got.verdict == verdict
    assert reason in got.reason


def test_draws_without_evidence_admit_nothing():
    refusals = [b.attempt("a", model="p/y", draw=draw, outcome="refused") for draw in range(1, 6)]
    got = from_counts("kernels/a", REFERENCE + drawn("p/x", 3) + refusals)
    assert got.verdict == "warmup"
    assert [entry["model"] for entry in got.entries] == ["p/x"]


def test_a_failure_is_named_after_the_mutant_that_fails_the_same_checks():
    mutants = [
        b.attempt("a", model="mutant/no_barrier", outcome="unsolved", failed_checks=["test_race", "test_sum"]),
        b.attempt("a", model="mutant/one_lane", outcome="solved"),
    ]
    models = [
        b.attempt("a", model="p/x", draw=1, outcome="unsolved", failed_checks=["test_sum", "test_race"]),
        b.attempt("a", model="p/x", draw=2, outcome="unsolved", failed_checks=["test_race", "test_sum"]),
        b.attempt("a", model="p/x", draw=3, outcome="submission_error"),
        b.attempt("a", model="p/y", draw=1, outcome="unsolved", failed_checks=["test_edge"]),
    ]
    got = from_counts("kernels/a", REFERENCE + mutants + models)
    assert got.shapes[0] == {
        "failed": ["test_race", "test_sum"],
        "count": 2,
        "models": {"p/x": 2},
        "same_as": ["mutant/no_barrier"],
    }
    assert [(shape["failed"], shape["same_as"]) for shape in got.shapes[1:]] == [
        (["submission error"], []),
        (["test_edge"], []),
    ]
    assert got.equivalents["mutant/no_barrier"]["caught"] is True
    assert got.equivalents["mutant/one_lane"]["caught"] is False


def test_discrimination_is_the_gap_between_the_best_and_the_worst_model():
    assert from_counts("kernels/a", drawn("p/x", 5) + drawn("p/y", 1)).discrimination == 0.8
    assert from_counts("kernels/a", drawn("p/x", 5)).discrimination is None


def test_an_equivalent_mutant_is_no_survivor():
    drawn_mutants = [
        b.attempt("a", model="mutant/wrong", outcome="unsolved", failed_checks=["hidden_tests/test_a.py::test_sum"]),
        b.attempt("a", model="mutant/overlooked", outcome="solved"),
        b.attempt("a", model="mutant/equivalent_order", outcome="solved"),
        b.attempt("a", model="mutant/equivalent_shape", outcome="unsolved", failed_checks=["test_sum"]),
    ]
    found = from_counts("kernels/a", REFERENCE + drawn_mutants)
    assert mutants(found).summary == "1 of 2 caught, 1 equivalent, 1 equivalent and not solved"
    assert mutants(found).survived == ["mutant/overlooked"]
    assert mutant_rows(found) == [
        ["mutant/overlooked", "survived", "", ""],
        ["mutant/equivalent_shape", "equivalent, and not solved", "1", "test_sum"],
        ["mutant/wrong", "caught", "1", "test_sum"],
        ["mutant/equivalent_order", "equivalent, solved", "", ""],
    ]


def test_what_a_benchmark_adds_to_the_equivalents_is_no_mutant():
    found = msgspec.structs.replace(from_counts("handnet/a", REFERENCE), equivalents={"p/x": {"labels": 500}})
    assert mutants(found).summary == "none run"
    assert mutant_rows(found) == []
