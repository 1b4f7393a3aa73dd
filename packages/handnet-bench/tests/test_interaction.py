"""With the numbers gone, two places of an input may each have an effect on a step of the program, and none together."""

import itertools

import numpy as np
import pytest
from handnet_bench import driver, sequences
from handnet_bench.rules import interaction

SLUGS = ["addition", "dyck1", "induction"]


def weighed(value):
    notes = driver.Notes(np, 0)
    return notes.weighed(value, notes.held(value))


def found(slug, step):
    """The line of a program whose one expression is `step` of an input; None where its two changes do not interact."""
    sums = np.array([[weighed(step(each)) for each in interaction.make(slug)]])
    return interaction.line(sums, [7])


def test_all_four_of_a_quad_are_inputs_of_the_task_and_equally_long():
    sums, strings, tokens = (interaction.make(slug) for slug in SLUGS)
    assert len(sums) == len(strings) == len(tokens) == 4 * interaction.QUADS
    for place in range(0, len(sums), 4):
        assert len({(len(str(a)), len(str(b))) for a, b in sums[place : place + 4]}) == 1
        assert len({len(text) for text in strings[place : place + 4]}) == 1
        assert len({len(row) for row in tokens[place : place + 4]}) == 1
    assert max(len(str(n)) for pair in sums for n in pair) <= sequences.MAX_DIGITS
    assert {sign for text in strings for sign in text} == {"(", ")"}
    assert max(map(len, strings)) <= sequences.MAX_BRACKETS
    assert all(row[:-1].count(row[-1]) == 1 and len(row) <= sequences.MAX_TOKENS for row in tokens)
    assert all(0 <= token < sequences.VOCABULARY for row in tokens for token in row)


def test_the_two_changes_of_a_quad_are_far_apart_and_their_answers_differ():
    strings, tokens = interaction.make("dyck1"), interaction.make("induction")
    for place in range(0, len(strings), 4):
        text, first, second, both = strings[place : place + 4]
        [one] = [k for k in range(len(text)) if text[k] != first[k]]
        [other] = [k for k in range(len(text)) if text[k] != second[k]]
        assert abs(one - other) >= interaction.APART
        assert both[one] + both[other] == first[one] + second[other]
    for place in range(0, len(tokens), 4):
        answers = [row[row.index(row[-1]) + 1] for row in tokens[place : place + 4]]
        assert answers == [answers[0], answers[1], answers[1], answers[0]]
        assert answers[0] != answers[1]


def test_tasks_without_a_formula_have_no_quads():
    assert [interaction.make(slug) for slug in ("mnist", "sst2", "sentiment")] == [None, None, None]


def digits(pair):
    return [(int(x), int(y)) for x, y in zip(str(pair[0]).zfill(11), str(pair[1]).zfill(11), strict=True)]


ALONE = {
    "the numbers": ("addition", lambda pair: pair),
    "digits, column by column": ("addition", digits),
    "digits as directions": ("addition", lambda pair: np.eye(10)[np.array(digits(pair))]),
    "digits read upside down": ("addition", lambda pair: [9 - int(sign) for sign in str(pair[0])[::-1]]),
    "bits of one number": ("addition", lambda pair: [pair[0] >> k & 1 for k in range(34)]),
    "a string": ("dyck1", lambda text: text),
    "a string turned round": ("dyck1", lambda text: [*text][::-1]),
    "which brackets open": ("dyck1", lambda text: np.array([sign == "(" for sign in text])),
    "brackets and their neighbours": ("dyck1", lambda text: [text[k : k + 4] == "(())" for k in range(len(text))]),
    "tokens": ("induction", lambda row: np.array(row)),
    "tokens one place later": ("induction", lambda row: np.eye(32)[[0, *row[:-1]]]),
    "tokens beside those before them": (
        "induction",
        lambda row: [32 * a + b for a, b in itertools.pairwise(row)],
    ),
    "the last token": ("induction", lambda row: row[-1]),
    "how many": ("induction", len),
}


@pytest.mark.parametrize("what", ALONE)
def test_what_looks_at_each_place_alone_has_no_interaction(what):
    assert found(*ALONE[what]) is None


def depths(text):
    return np.cumsum([1 if sign == "(" else -1 for sign in text])


TOGETHER = {
    "the digits of a sum": ("addition", lambda pair: str(sum(pair)).zfill(11)),
    "the sum as words far apart": ("addition", lambda pair: [f"{sign}{'-' * 50}" for sign in str(sum(pair)).zfill(11)]),
    "a sum that is too long for a float": ("addition", lambda pair: (sum(pair) + 10**40) ** 2),
    "which columns carry": ("addition", lambda pair: [x + y > 9 for x, y in digits(pair)]),
    "the lowest depth": ("dyck1", lambda text: depths(text).min()),
    "where the depth is below zero": ("dyck1", lambda text: depths(text) < 0),
    "what is left without pairs": ("dyck1", lambda text: text.replace("()", "").replace("()", "").ljust(64)),
    "which tokens are the last one": ("induction", lambda row: [token == row[-1] for token in row]),
    "how far each token is from the last": ("induction", lambda row: [abs(token - row[-1]) for token in row]),
    "where the last token stands": ("induction", lambda row: row.index(row[-1])),
    "the answer among other things": ("induction", lambda row: [*range(40), row[row.index(row[-1]) + 1], *range(40)]),
}


@pytest.mark.parametrize("what", TOGETHER)
def test_what_brings_two_places_together_has_one(what):
    assert found(*TOGETHER[what]) == 7


def test_an_interaction_in_a_single_quad_is_not_enough():
    sums = np.zeros((2, 8))
    sums[0, 3] = sums[1, 3] = sums[1, 7] = 1.0
    assert interaction.line(sums[:1], [3]) is None
    assert interaction.line(sums, [3, 9]) == 9


def test_without_a_program_there_is_no_line():
    assert interaction.line(np.zeros((0, 8)), []) is None
