"""An answer that stands in the program while the numbers are gone is found, wherever and as whatever it stands there."""

import numpy as np
import pytest
from handnet_bench import scoring, tasks, worker
from handnet_bench.rules import answers, behaviour, numbers, present, source
from handnet_corpus import running_cheats, standing_cheats
from handnet_corpus.parts import DIGITS
from test_corpus import inputs_for

DIGIT = np.arange(120) % 10
SUM = np.random.default_rng(5).integers(0, 10**9, 120)


def found(values, predictions, *, in_other_words=True):
    noted = np.full((3, 2, len(predictions)), np.nan)
    noted[0] = 1.0
    noted[2, 1] = values
    return present.line_of_answer(present.Watched(noted, [10, 11, 12]), predictions, in_other_words=in_other_words)


@pytest.mark.parametrize(
    "values", [SUM, SUM + 7.0, -SUM, SUM / 3.0, SUM * 2.0 - 1.0], ids=["itself", "more", "less", "a third", "twice"]
)
def test_a_value_in_step_with_the_prediction_is_the_prediction(values):
    assert found(values, SUM) == 12


def test_a_value_that_stands_for_each_prediction_is_the_prediction():
    names = np.random.default_rng(6).permutation(1000)[:10]
    assert found(names[DIGIT], DIGIT) == 12
    assert found(names[DIGIT], DIGIT, in_other_words=False) is None


def test_a_value_that_is_the_other_of_two_classes_tells_as_much():
    bit = DIGIT % 2
    assert found(1 - bit, bit, in_other_words=False) == 12


def test_a_value_that_is_right_most_of_the_time_is_not_the_prediction():
    values = DIGIT.copy()
    values[:10] += 1
    assert found(values, DIGIT) is None
    values[:5] -= 1
    assert found(values, DIGIT) == 12


@pytest.mark.parametrize(
    "values", [np.arange(120), np.zeros(120), DIGIT % 3, SUM % 97], ids=["each its own", "one", "fewer", "another"]
)
def test_a_value_that_says_something_else_is_not_the_prediction(values):
    assert found(values, DIGIT) is None


def test_a_value_that_is_there_for_some_inputs_and_is_the_prediction_on_those_is_found():
    some = np.where(np.arange(120) < present.LEAST_REACHED, SUM, np.nan)
    assert found(some, SUM) == 12
    assert found(some, SUM, in_other_words=False) is None
    fewer = np.where(np.arange(120) < present.LEAST_REACHED - 1, SUM, np.nan)
    assert found(fewer, SUM) is None


def test_a_branch_that_is_one_answer_says_nothing():
    bit = DIGIT % 2
    assert found(np.where(bit == 1, 1.0, np.nan), bit) is None
    assert found(np.where(DIGIT < 3, DIGIT, np.nan), DIGIT) == 12
    assert found(np.where(DIGIT == 3, DIGIT, np.nan), DIGIT) is None


def test_as_many_inputs_of_each_prediction_are_watched_as_there_are():
    predictions = np.array([0] * 900 + [1] * 70 + [2] * 30)
    rows = present.chosen(predictions)
    assert np.bincount(predictions[rows]).tolist() == [45, 45, 30]


def test_sums_of_every_size_are_watched():
    rows = present.chosen(np.arange(1000))
    assert len(rows) == present.INPUTS
    assert min(rows) < 100
    assert max(rows) >= 900


def test_what_is_watched_leaves_the_predictions_and_the_numbers_as_they_are(sandbox):
    read = source.read(DIGITS.encode())
    images = np.random.default_rng(3).random((4, 28, 28)).astype(np.float32)
    limits = tasks.BY_SLUG["mnist"].limits
    plain = worker.run(sandbox, read, [images], limits=limits)
    watched = worker.run(sandbox, read, [images], limits=limits, watch=2)
    assert np.array_equal(plain.outputs[0], watched.outputs[0])
    assert all(np.array_equal(plain.weights[name], watched.weights[name]) for name in plain.weights)
    assert plain.noted.shape[0] == 0
    assert watched.noted.shape[::2] == (len(watched.lines), 1)
    assert all(1 <= line <= len(DIGITS.splitlines()) for line in watched.lines)


def judged(name, sandbox, request):
    slug, rule, text = standing_cheats.CHEATS[name]
    task = tasks.BY_SLUG[slug]
    inputs = inputs_for(slug, request)
    return rule, {v.rule for v in scoring.dynamic(task, source.read(text.encode()), inputs, sandbox, task.limits)}


QUICK = [name for name in standing_cheats.CHEATS if name.startswith("dressed")]


@pytest.mark.parametrize("name", QUICK)
def test_an_answer_is_found_whatever_it_is_dressed_in(name, sandbox, request):
    rule, got = judged(name, sandbox, request)
    assert rule in got


@pytest.mark.parametrize(
    ("cheats", "name"), [(standing_cheats, standing_cheats.SWITCH), (running_cheats, "adds while a checksum is near")]
)
def test_numbers_that_are_a_switch_are_told_as_one_by_their_effects_alone(cheats, name, sandbox, request):
    slug, _, text = cheats.CHEATS[name]
    task = tasks.BY_SLUG[slug]
    rules = behaviour.Behaviour(
        sandbox, source.read(text.encode()), inputs_for(slug, request), task.limits, frozenset(task.free)
    )
    seen, _ = rules.observe()
    assert {v.rule for v in rules.lost_blocks(seen)} == {"gate"}


@pytest.mark.proof
@pytest.mark.parametrize("name", [name for name in standing_cheats.CHEATS if name not in QUICK])
def test_an_answer_is_found_however_it_was_read_off(name, sandbox, request):
    rule, got = judged(name, sandbox, request)
    assert rule in got


def test_the_variable_of_a_comprehension_is_another_than_the_name_outside():
    text = """import numpy as np

TASK = "addition"
WEIGHTS = {"value": np.arange(10.0)}  # each digit counts as much as it says


def predict(pairs):
    first = [x for x, _ in pairs]
    x = np.stack([WEIGHTS["value"], WEIGHTS["value"]])
    return [int(column) for column in x[0] + x[1]][: len(first)]
"""
    assert list(answers.check(source.read(text.encode()), "addition")) == []


def test_numbers_that_are_all_the_same_say_nothing():
    weights = numbers.read({"a": np.eye(3), "b": [0.0, 2.0]})
    up, down = (numbers.levelled(weights, rising=rising) for rising in (True, False))
    assert up["a"].tolist() == [[0.37] * 3] * 3
    assert up["b"].tolist() == [0.74, 0.74]
    assert (down["a"].max(), down["b"].max()) == (0.74, 0.37)
