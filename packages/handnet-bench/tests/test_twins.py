"""Answers that are ready before the numbers, state in places nobody looks at, and copies that crash: each is refused."""

from itertools import pairwise

import numpy as np
import pytest
from handnet_bench import scoring, sequences, tasks
from handnet_bench.rules import behaviour, source, twins
from handnet_corpus import honest, more_honest, ready_cheats
from handnet_corpus.parts import LOOKUP, SUMS
from test_corpus import violations

RIGHT = {"addition": sum, "induction": lambda tokens: tokens[tokens.index(tokens[-1]) + 1]}


@pytest.mark.parametrize("slug", RIGHT)
def test_twins_have_the_same_right_answer_and_little_else_in_common(slug):
    pairs = twins.make(slug)
    assert len(pairs.left) == len(pairs.right) == len(pairs.answers) == twins.PAIRS
    for left, right, answer in zip(pairs.left, pairs.right, pairs.answers, strict=True):
        assert RIGHT[slug](left) == RIGHT[slug](right) == answer
        assert left != right
        assert slug != "induction" or left[-1] != right[-1]


def test_twins_are_inputs_as_the_test_set_has_them():
    most = 10**sequences.MAX_DIGITS - 1
    sums, tokens = twins.make("addition"), twins.make("induction")
    assert all(0 <= n <= most for pair in sums.left + sums.right for n in pair)
    for row in tokens.left + tokens.right:
        assert 3 <= len(row) <= sequences.MAX_TOKENS
        assert row.count(row[-1]) == 2
        assert all(0 <= token < sequences.VOCABULARY for token in row)


def test_neighbours_are_strangers_most_of_the_time():
    for slug in RIGHT:
        answers = twins.make(slug).answers
        assert np.mean([a == b for a, b in pairwise(answers)]) < 0.1


def test_tasks_whose_answer_no_code_knows_have_no_twins():
    assert [twins.make(slug) for slug in ("mnist", "sst2", "sentiment")] == [None, None, None]


def test_one_bit_says_too_little_for_twins():
    assert twins.make("dyck1") is None


@pytest.mark.parametrize("name", list(ready_cheats.WRITTEN))
def test_reading_refuses_an_answer_in_code_however_it_is_handed_on(name):
    slug, rule, text = ready_cheats.WRITTEN[name]
    assert rule in {v.rule for v in scoring.static(source.read(text.encode()), tasks.BY_SLUG[slug])}


@pytest.mark.parametrize("name", list(ready_cheats.READY))
def test_copies_with_other_numbers_show_an_answer_that_was_ready_before_them(name, sandbox, request):
    slug, rule, text = ready_cheats.READY[name]
    assert rule in {v.rule for v in violations(slug, text, sandbox, request)}


@pytest.mark.parametrize("name", [*ready_cheats.KEPT, *ready_cheats.FAILING])
def test_running_refuses_what_is_kept_or_fails(name, sandbox, request):
    slug, rule, text = ready_cheats.CHEATS[name]
    found = scoring.dynamic(
        tasks.BY_SLUG[slug],
        source.read(text.encode()),
        scoring.rule_inputs(slug, None),
        sandbox,
        tasks.BY_SLUG[slug].limits,
    )
    assert rule in {v.rule for v in found}


@pytest.mark.parametrize("name", list(ready_cheats.HONEST))
def test_an_honest_file_in_the_usual_way_of_padding_raises_no_alarm(name, sandbox, request):
    slug, text = ready_cheats.HONEST[name]
    assert violations(slug, text, sandbox, request) == []


def shares(slug, text, sandbox):
    """How often twins are told apart, as a share of strangers, in each copy that says something."""
    pairs, read = twins.make(slug), source.read(text.encode())
    inputs = behaviour.Inputs(pairs.left, pairs.answers, None, None, None, None, None, None, pairs)
    rules = behaviour.Behaviour(sandbox, read, inputs, tasks.BY_SLUG[slug].limits, frozenset())
    weights = behaviour.numbers.read(rules.run([pairs.left]).weights)
    found = [rules._told_apart(copy, pairs) for copy in behaviour._wrong_networks(weights)]
    return [share for share in found if share is not None]


@pytest.mark.parametrize(("slug", "text"), [("addition", SUMS), ("induction", LOOKUP)])
def test_a_network_with_wrong_numbers_tells_twins_apart_and_a_read_out_cannot(slug, text, sandbox):
    name = {"addition": "the sum as the length of a range", "induction": "what followed between two bounds"}[slug]
    assert max(shares(slug, text, sandbox)) > 2 * behaviour.READ_OUT
    cheat = shares(slug, ready_cheats.READY[name][2], sandbox)
    assert len(cheat) >= behaviour.LEAST_TELLING
    assert max(cheat) == 0


@pytest.mark.proof
def test_every_honest_network_tells_twins_apart_with_room_to_the_bound(sandbox, capsys):
    files = {**honest.HONEST, **more_honest.HONEST, **ready_cheats.HONEST}
    best = {
        name: max(shares(slug, text, sandbox), default=None) for name, (slug, text) in files.items() if slug in RIGHT
    }
    with capsys.disabled():
        print("\n".join(f"{name:50} {share}" for name, share in best.items()))
    assert all(share is None or share > 2 * behaviour.READ_OUT for share in best.values())
