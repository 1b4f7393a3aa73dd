"""Reading answers and scoring them: exact, bounded, monotone, and never an exception."""

from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from benchwright.outcomes import OUTCOMES
from hypothesis import given, settings
from hypothesis import strategies as st
from weightspace import catalogue, scoring, tasks
from weightspace.answers import FixAnswer, WriteAnswer, edited, parse_fix, written
from weightspace.corruption import Place, best_constant
from weightspace.functions import BY_NAME, NAMES, bits
from weightspace.network import logits
from weightspace.tasks import evaluate

PARAMS = {param.name: param.default for param in catalogue.PARAMS}


def private(task_id: str) -> dict[str, Any]:
    place = catalogue.find(f"weightspace/{task_id}", PARAMS)
    assert place is not None
    return {"mode": place.mode, "function": place.function, "made": tasks.make(place, PARAMS)}


READ, FIX, WRITE = private("read_div_by_3"), private("fix_palindrome"), private("write_majority")
MODES = {"read": READ, "fix": FIX, "write": WRITE}

numbers = st.one_of(
    st.integers(),
    st.integers(-3, 20),
    st.decimals(),
    st.decimals(allow_nan=False, allow_infinity=False, places=3),
    st.floats(),
    st.sampled_from([Decimal("1e999999"), Decimal("-1e-999999"), Decimal("0e-99999"), Decimal("sNaN"), 10**4000]),
)
words = st.sampled_from(
    ["function", "functional_units", "edits", "param", "row", "col", "value", "W1", "b1", "v", "c", *NAMES]
)
anything = st.recursive(
    st.one_of(st.none(), st.booleans(), numbers, words, st.text(max_size=8)),
    lambda below: st.one_of(
        st.lists(below, max_size=9), st.dictionaries(st.one_of(words, st.text(max_size=4)), below, max_size=6)
    ),
    max_leaves=40,
)
near_read = st.fixed_dictionaries(
    {"function": st.one_of(words, anything), "functional_units": st.one_of(st.lists(st.integers(-1, 17)), anything)}
)
edit = st.fixed_dictionaries(
    {"param": st.one_of(st.sampled_from(["W1", "b1", "v", "c"]), anything), "value": numbers},
    optional={"row": st.one_of(st.integers(-1, 16), anything), "col": st.one_of(st.integers(-1, 5), anything)},
)
near_fix = st.fixed_dictionaries({"edits": st.one_of(st.lists(edit, max_size=3), anything)})
near_write = st.fixed_dictionaries(
    {
        "W1": st.lists(st.lists(numbers, min_size=4, max_size=6), max_size=9),
        "b1": st.lists(numbers, max_size=9),
        "v": st.lists(numbers, max_size=9),
        "c": numbers,
    }
)


@given(st.one_of(anything, near_read, near_fix, near_write))
@settings(max_examples=400, deadline=None)
def test_no_answer_raises_and_every_score_lies_between_0_and_1(answer: Any) -> None:
    for mode in MODES.values():
        verdict = evaluate(mode, answer)
        assert verdict.score is not None
        assert 0 <= verdict.score <= 1
        assert verdict.outcome in ("solved", "unsolved", "no_submission")
        assert (verdict.outcome == "no_submission") == (verdict.metrics["answer_parsed"] == 0)
        assert (verdict.outcome == "solved") == (verdict.metrics["solved"] == 1)
        assert verdict.metrics["weight_score"] == verdict.score
        assert verdict.reason.endswith(".")
        assert "\n" not in verdict.reason
        assert len(verdict.reason) < 200
        assert len(verdict.metrics) <= 10


ROW = [0, 0, 0, 0, 0]
UNIT = {"W1": [ROW], "b1": [0], "v": [0], "c": 1}
EDIT = {"param": "W1", "row": 0, "col": 0, "value": 1}
MALFORMED = [
    ("read", None, "The answer is null"),
    ("read", [], "The answer is a list"),
    ("read", {}, 'no "function"'),
    ("read", {"function": "majority"}, 'no "functional_units"'),
    ("read", {"function": 3, "functional_units": []}, '"function" is a number'),
    ("read", {"function": "majority", "functional_units": 3}, '"functional_units" is a number'),
    ("read", {"function": "majority", "functional_units": [True]}, "is true"),
    ("read", {"function": "majority", "functional_units": ["3"]}, "is a text"),
    ("read", {"function": "majority", "functional_units": [Decimal("3.0")]}, "whole number"),
    ("read", {"function": "majority", "functional_units": [16]}, "out of range"),
    ("read", {"function": "majority", "functional_units": [-1]}, "out of range"),
    ("read", {"function": "majority", "functional_units": [2, 2]}, "names unit 2 twice"),
    ("fix", {"edits": None}, '"edits" is null'),
    ("fix", {"edits": [EDIT, {**EDIT, "row": 1}, {**EDIT, "row": 2}]}, "holds 3 edits; at most 2"),
    ("fix", {"edits": [EDIT, {**EDIT, "value": 2}]}, '"edits"[1] edits the same parameter'),
    ("fix", {"edits": [7]}, '"edits"[0] is a number'),
    ("fix", {"edits": [{**EDIT, "param": "W2"}]}, "'W2'; W1, b1, v or c is expected"),
    ("fix", {"edits": [{**EDIT, "param": ["W1"]}]}, '"param" is a list'),
    ("fix", {"edits": [{**EDIT, "row": 16}]}, '"row" is out of range'),
    ("fix", {"edits": [{**EDIT, "col": 5}]}, '"col" is out of range'),
    ("fix", {"edits": [{**EDIT, "row": False}]}, '"row" is false'),
    ("fix", {"edits": [{"param": "W1", "row": 0, "value": 1}]}, 'no "col"'),
    ("fix", {"edits": [{"param": "b1", "row": 0, "col": 1, "value": 1}]}, 'b1 takes no "col"'),
    ("fix", {"edits": [{"param": "c", "row": 0, "value": 1}]}, 'takes no "row"'),
    ("fix", {"edits": [{"param": "W1", "row": 0, "col": 0}]}, 'no "value"'),
    ("fix", {"edits": [{**EDIT, "value": "1"}]}, '"value" is a text'),
    ("fix", {"edits": [{**EDIT, "value": True}]}, '"value" is true'),
    ("fix", {"edits": [{**EDIT, "value": Decimal("NaN")}]}, "not finite"),
    ("fix", {"edits": [{**EDIT, "value": Decimal("-Infinity")}]}, "not finite"),
    ("fix", {"edits": [{**EDIT, "value": float("inf")}]}, "not finite"),
    ("fix", {"edits": [{**EDIT, "value": 1000001}]}, "larger than 1,000,000"),
    (
        "fix",
        {"edits": [{**EDIT, "value": Decimal("1000000.0000000000000000000000000000001")}]},
        "larger than 1,000,000",
    ),
    ("fix", {"edits": [{**EDIT, "value": Decimal("1e400000")}]}, "larger than 1,000,000"),
    ("fix", {"edits": [{**EDIT, "value": 10**5000}]}, "larger than 1,000,000"),
    ("read", {"function": "majority", "functional_units": [10**5000]}, "out of range"),
    ("fix", {"edits": [{**EDIT, "value": Decimal("1e-400000")}]}, "decimal places"),
    ("fix", {"edits": [{**EDIT, "value": Decimal("0." + "1" * 1001)}]}, "decimal places"),
    ("write", {**UNIT, "W1": [ROW] * 9, "b1": [0] * 9, "v": [0] * 9}, "holds 9 units; at most 8"),
    ("write", {**UNIT, "W1": [ROW[:4]]}, '"W1"[0] holds 4 numbers; expected 5'),
    ("write", {**UNIT, "W1": ROW}, '"W1"[0] is a number; a list is expected'),
    ("write", {**UNIT, "b1": [0, 0]}, '"b1" holds 2 numbers; expected 1'),
    ("write", {**UNIT, "v": []}, '"v" holds 0 numbers'),
    ("write", {**UNIT, "c": [1]}, '"c" is a list'),
    ("write", {**UNIT, "W1": [[0, 0, 0, 0, None]]}, '"W1"[0][4] is null'),
    ("write", {"W1": [ROW], "b1": [0], "v": [0]}, 'no "c"'),
]


@pytest.mark.parametrize(("mode", "answer", "sentence"), MALFORMED, ids=range(len(MALFORMED)))
def test_what_cannot_be_read_is_no_submission_with_the_place_in_one_sentence(
    mode: str, answer: Any, sentence: str
) -> None:
    verdict = evaluate(MODES[mode], answer)
    assert verdict.outcome == "no_submission"
    assert verdict.score == 0
    assert verdict.metrics["answer_parsed"] == 0
    assert sentence in verdict.reason
    assert OUTCOMES[verdict.outcome].evidence == "failure"


def test_keys_that_nobody_asked_for_are_not_read() -> None:
    answer = {"why": "because", **tasks.reference(READ["function"], READ["made"])}
    assert evaluate(READ, answer).outcome == "solved"


def test_an_edit_may_say_null_where_a_parameter_has_no_row_or_column() -> None:
    answer = {"edits": [{"param": "c", "row": None, "col": None, "value": 0}]}
    assert parse_fix(answer, 5, 16).edits == ((Place("c"), Decimal(0)),)


def test_a_name_outside_the_menu_is_wrong_and_the_units_still_count() -> None:
    units = list(READ["made"].functional)
    verdict = evaluate(READ, {"function": "divisible_by_three", "functional_units": units})
    assert (verdict.outcome, verdict.score) == ("unsolved", 0.4)
    assert verdict.metrics["function_correct"] == 0
    assert verdict.metrics["unit_f1"] == 1


def test_read_scores_six_tenths_for_the_function_and_four_tenths_of_f1() -> None:
    functional = list(READ["made"].functional)
    verdict = evaluate(READ, {"function": "div_by_3", "functional_units": functional[:-1]})
    n = len(functional)
    assert verdict.score == float(Fraction(6, 10) + Fraction(4, 10) * Fraction(2 * (n - 1), 2 * n - 1))
    assert verdict.outcome == "unsolved"
    assert evaluate(READ, {"function": "div_by_3", "functional_units": []}).score == 0.6
    assert evaluate(READ, {"function": "div_by_3", "functional_units": functional}).outcome == "solved"


def test_fix_scores_the_gain_over_the_broken_network_and_finding_the_place_is_only_a_metric() -> None:
    broken = FIX["made"]
    nothing = evaluate(FIX, {"edits": []})
    assert (nothing.score, nothing.metrics["found_corruption"]) == (0, 0)
    assert nothing.metrics["accuracy_32"] == (32 - broken.wrong) / 32
    place = {key: value for key, value in broken.place._asdict().items() if value is not None}
    touched = evaluate(FIX, {"edits": [{**place, "value": tasks.number(broken.place.read(broken.network))}]})
    assert (touched.score, touched.metrics["found_corruption"]) == (0, 1)
    repaired = evaluate(FIX, {"edits": [{**place, "value": tasks.number(broken.original)}]})
    assert (repaired.outcome, repaired.score) == ("solved", 1)
    assert all(check.passed for check in repaired.checks)


def test_a_fix_that_makes_things_worse_scores_zero_and_not_less() -> None:
    truth = FIX["function"].truth()
    worst = -(10**6) if sum(truth) > 16 else 10**6
    verdict = evaluate(FIX, {"edits": [{"param": "c", "value": worst}]})
    assert verdict.metrics["accuracy_32"] == min(sum(truth), 32 - sum(truth)) / 32
    assert verdict.score == 0


def test_write_scores_the_gain_over_the_better_constant() -> None:
    assert evaluate(WRITE, {"W1": [], "b1": [], "v": [], "c": 1}).score == 0
    assert evaluate(WRITE, {"W1": [], "b1": [], "v": [], "c": 0}).metrics["accuracy_32"] == 0.5
    at_least_four = {"W1": [[1] * 5], "b1": [-3], "v": [1], "c": 0}
    verdict = evaluate(WRITE, at_least_four)
    assert verdict.score == float(Fraction(22 - 16, 16))
    assert [check.id for check in verdict.checks if not check.passed] == [
        f"input_{n:02d}" for n in range(32) if n.bit_count() == 3
    ]


def test_an_output_of_exactly_zero_is_0_and_a_hair_above_is_1() -> None:
    at_zero = {"W1": [[1] * 5], "b1": [-2], "v": [1], "c": Decimal("-1")}
    assert evaluate(WRITE, at_zero).outcome == "unsolved"
    # Half a unit in the last of 400 decimal places: no float could tell the two apart.
    assert evaluate(WRITE, {**at_zero, "c": Decimal("-1") + 0}).outcome == "unsolved"
    hair = Decimal("-0." + "9" * 400)
    assert evaluate(WRITE, {**at_zero, "c": hair}).outcome == "solved"


def test_decimals_are_taken_as_written_and_not_through_floats() -> None:
    # 0.1 + 0.2 - 0.3 is 0 in decimals and 5.6e-17 in floats.
    network = WriteAnswer(
        W1=((Decimal("0.1"), Decimal("0.2"), Decimal(0), Decimal(0), Decimal(0)),),
        b1=(Decimal(0),),
        v=(Decimal(1),),
        c=Decimal("-0.3"),
    )
    made, one = written(network)
    assert logits(made, one=one)[3] == 0


@given(st.lists(st.decimals(-1000, 1000, places=7), min_size=7, max_size=7), st.decimals(-10, 10, places=9))
def test_a_written_network_is_run_exactly(unit: list[Decimal], c: Decimal) -> None:
    answer = WriteAnswer(W1=(tuple(unit[:5]),), b1=(unit[5],), v=(unit[6],), c=c)
    network, one = written(answer)
    for n, value in enumerate(logits(network, one=one)):
        z = sum((Fraction(w) * b for w, b in zip(unit[:5], bits(n), strict=True)), Fraction(unit[5]))
        assert Fraction(value, one * one) == Fraction(unit[6]) * max(Fraction(0), z) + Fraction(c)


@given(st.decimals(-1000, 1000, places=12), st.integers(0, 15), st.integers(0, 4))
def test_an_edit_changes_one_parameter_and_scales_the_others_exactly(value: Decimal, row: int, col: int) -> None:
    network = FIX["made"].network
    changed, one = edited(network, FixAnswer(((Place("W1", row, col), value),)))
    for j in range(16):
        for i in range(5):
            expected = Fraction(value) if (j, i) == (row, col) else Fraction(network.W1[j][i], 1000)
            assert Fraction(changed.W1[j][i], one) == expected
    assert [Fraction(v, one) for v in changed.v] == [Fraction(v, 1000) for v in network.v]
    assert Fraction(changed.c, one) == Fraction(network.c, 1000)


units = st.frozensets(st.integers(0, 15))


@given(units, units.filter(bool), st.integers(0, 15))
def test_naming_one_more_true_unit_or_one_false_unit_less_never_lowers_f1(
    given_: frozenset[int], truth: frozenset[int], unit: int
) -> None:
    before = scoring.f1(given_, truth)
    after = scoring.f1(given_ | {unit} if unit in truth else given_ - {unit}, truth)
    assert 0 <= before <= after <= 1
    assert (before == 1) == (given_ == truth)


@given(st.sampled_from(NAMES), st.integers(0, 31), st.integers(0, 31))
def test_one_more_right_row_never_lowers_a_lift(name: str, rows: int, baseline: int) -> None:
    assert 0 <= scoring.lift(rows, baseline, 32) <= scoring.lift(rows + 1, baseline, 32) <= 1
    assert scoring.lift(32, baseline, 32) == 1
    assert scoring.lift(best_constant(BY_NAME[name].truth()), best_constant(BY_NAME[name].truth()), 32) == 0


@given(st.sampled_from(NAMES), st.integers(0, 31))
def test_flipping_one_output_of_the_truth_lowers_a_written_networks_score(name: str, n: int) -> None:
    """Monotone end to end: the reference with one row bent by an extra unit scores less, and less by one row."""
    function = BY_NAME[name]
    whole = tasks.reference(function, None)
    # A unit that fires on input n only, by 1, strong enough to turn its output.
    row = [1 if bit else -1 for bit in bits(n)]
    strength = -1000 if function.rule(bits(n)) else 1000
    bent = {
        "W1": [*whole["W1"], row],
        "b1": [*whole["b1"], 1 - sum(bits(n))],
        "v": [*whole["v"], strength],
        "c": whole["c"],
    }
    mode = {"mode": "write", "function": function, "made": None}
    verdict = evaluate(mode, bent)
    assert [check.id for check in verdict.checks if not check.passed] == [f"input_{n:02d}"]
    baseline = best_constant(function.truth())
    assert verdict.score == float(Fraction(31 - baseline, 32 - baseline))


def test_five_megabytes_of_answer_are_refused_in_a_sentence() -> None:
    for mode in MODES.values():
        for answer in ("x" * 5_000_000, list(range(700_000)), {"function": "m" * 5_000_000, "edits": [0] * 10**6}):
            verdict = evaluate(mode, answer)
            assert verdict.outcome == "no_submission"
            assert len(verdict.reason) < 200


def test_the_references_text_decodes_to_its_answer() -> None:
    for place in catalogue.places(PARAMS):
        task = tasks.load(place, PARAMS)
        assert task.reference is not None
        assert json.loads(task.reference.text, parse_float=Decimal) == task.reference.answer
