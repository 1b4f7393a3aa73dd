"""The rewrites, the checks and the corruption, by property and by golden file."""

from __future__ import annotations

import importlib.util
import json
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from weightspace import rewrites, streams
from weightspace.corruption import best_constant, break_network
from weightspace.functions import FUNCTIONS, Function, Unit, bits
from weightspace.network import Network, inspect, logits, outputs, preactivations
from weightspace.rewrites import ATTEMPTS, copies, hide, splits

functions = st.sampled_from(FUNCTIONS)
seeds = st.integers(0, 2**53)
sizes = st.sampled_from((8, 9, 13, 16, 24, 64))
keys = st.integers(0, 2**64 - 1)


def terms(network: Network, x: tuple[int, ...]) -> list[int]:
    """What each unit adds on one input and, last, the bias: the definition as it reads, in millionths."""
    found = []
    for row, bias, out in zip(network.W1, network.b1, network.v, strict=True):
        z = bias
        for weight, bit in zip(row, x, strict=True):
            if bit:
                z += weight
        found.append(out * z if z > 0 else 0)
    return [*found, 1000 * network.c]


def test_the_stream_is_splitmix64() -> None:
    # The first outputs for seed 1234567, as published with the reference implementation's test vectors.
    expected = [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]
    assert [streams.draw(1234567, i) for i in range(5)] == expected


@given(st.lists(st.integers(-(2**40), 2**40), min_size=1, max_size=6), st.integers(-(2**40), 2**40))
def test_doubling_gives_the_preactivation_of_every_input(weights: list[int], bias: int) -> None:
    expected = [
        sum(w * b for w, b in zip(weights, bits(n, len(weights)), strict=True)) + bias for n in range(2 ** len(weights))
    ]
    assert preactivations(tuple(weights), bias) == expected


@given(functions, sizes, keys)
def test_splitting_keeps_the_output_on_every_input(function: Function, hidden: int, key: int) -> None:
    plan = copies(function.units, splits(function, hidden, key))
    assert len(function.units) < len(plan) < hidden
    for n in range(32):
        whole = sum(unit.out * 1000 * max(0, preactivations(unit.weights, unit.bias)[n]) for unit in function.units)
        assert (
            sum(unit.out * share * max(0, preactivations(unit.weights, unit.bias)[n]) for unit, share in plan) == whole
        )


@given(functions, st.integers(1, 10**6), st.integers(1, 10**6))
def test_rescaling_by_a_positive_factor_keeps_what_a_unit_adds(function: Function, top: int, bottom: int) -> None:
    factor = Fraction(top, bottom)
    for unit in function.units:
        before = [unit.out * max(0, z) for z in preactivations(unit.weights, unit.bias)]
        scaled = Unit(tuple(w * factor for w in unit.weights), unit.bias * factor, unit.out / factor)  # type: ignore[arg-type]
        assert [scaled.out * max(0, z) for z in preactivations(scaled.weights, scaled.bias)] == before


@given(keys)
def test_each_kind_of_distractor_is_what_it_says(z: int) -> None:
    unit, _ = rewrites.dead(z, rewrites.ROWS)
    assert max(preactivations(unit.weights, unit.bias)) <= -rewrites.DEAD_GAP[0]
    unit, _ = rewrites.negligible(z, rewrites.ROWS)
    peak = max(preactivations(unit.weights, unit.bias))
    assert peak >= 1000
    assert abs(unit.out) * peak <= 1000 * rewrites.NEGLIGIBLE_PART[1] + peak
    one, other = rewrites.cancelling(z, rewrites.ROWS)
    assert one._replace(out=-one.out) == other
    peak = max(preactivations(one.weights, one.bias))
    assert peak > 0
    assert abs(one.out) * peak <= 1000 * rewrites.PAIR_PART[1] + peak


@given(functions, sizes, seeds)
@settings(max_examples=200, deadline=None)
def test_a_hidden_network_computes_its_function_on_all_inputs_whole_and_by_the_margin_without_any_unit(
    function: Function, hidden: int, seed: int
) -> None:
    made = hide(function, hidden, seed)
    assert made.network.hidden == hidden
    functional = set()
    for n in range(32):
        x = bits(n)
        added = terms(made.network, x)
        y = sum(added)
        assert (y > 0) == function.rule(x)
        assert abs(y) > 50_000
        for j in range(hidden):
            without = sum(added[:j]) + sum(added[j + 1 :])
            assert abs(without) > 50_000
            if (without > 0) != (y > 0):
                functional.add(j)
    assert functional == set(made.functional)
    assert len(function.units) < len(functional) < hidden


@given(functions, sizes, seeds)
@settings(max_examples=200, deadline=None)
def test_a_broken_network_differs_in_one_parameter_and_is_wrong_on_three_inputs_or_more(
    function: Function, hidden: int, seed: int
) -> None:
    made = break_network(function, hidden, seed)
    assert made.place.write(made.network, made.original) == made.intact
    assert made.place.read(made.network) != made.original
    assert made.place.row in made.functional
    truth = function.truth()
    y = [sum(terms(made.network, bits(n))) for n in range(32)]
    wrong = sum((value > 0) != bool(right) for value, right in zip(y, truth, strict=True))
    assert wrong == made.wrong >= 3
    assert min(map(abs, y)) > 50_000
    assert 32 - wrong >= best_constant(truth), "a constant output would gain"
    assert outputs(logits(made.intact)) == truth


def test_the_check_refuses_an_output_near_zero_and_one_that_is_near_zero_without_a_unit() -> None:
    kept = Network(((1000,), (1000,)), (0, 0), (1000, 1000), -700)
    assert inspect(kept) == ((0, 1), frozenset())
    assert inspect(kept._replace(c=-40)) is None
    assert inspect(kept._replace(c=-1960)) is None
    assert inspect(kept._replace(c=-1040)) is None, "without one unit, y is -0.04"
    assert inspect(kept._replace(c=-1500)) == ((0, 1), frozenset({0, 1}))


def test_a_candidate_that_fails_the_check_is_passed_over() -> None:
    rejected = 0
    for seed in range(40):
        made = hide(FUNCTIONS[1], 16, seed)
        for attempt in range(made.attempts - 1):
            network, units = rewrites.candidate(
                FUNCTIONS[1], 16, streams.stream_key(seed, attempt, rewrites.NETWORK_STREAM)
            )
            assert inspect(network) != (FUNCTIONS[1].truth(), frozenset(units))
            rejected += 1
    assert 0 < rejected < 40 * ATTEMPTS


def test_an_impossible_function_is_an_error_and_not_an_endless_loop() -> None:
    never = FUNCTIONS[0]._replace(rule=lambda x: False)
    with pytest.raises(ArithmeticError, match="no network of 16 units hides majority"):
        hide(never, 16, 0)


def test_the_first_tasks_of_the_default_seed_are_those_of_the_golden_file() -> None:
    spec = importlib.util.spec_from_file_location("write_golden", Path(__file__).with_name("write_golden.py"))
    assert spec is not None
    assert spec.loader is not None
    write_golden = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(write_golden)
    golden = json.loads(write_golden.FILE.read_text(encoding="utf-8"))
    assert len(golden["tasks"]) == write_golden.TASKS
    assert write_golden.content() == golden
