"""Comparisons: of runs, of models of a run, of models of the board."""

from __future__ import annotations

import board_files as b
import pytest
from benchwright.errors import UserError
from benchwright.leaderboard.compare import compare, sentences
from benchwright.leaderboard.sides import Side, find


def side(label, attempts, suite="kernels"):
    return Side(label, label, suite, "run", tuple(attempts))


def drawn(solved, tasks=10, draws=3, **fields):
    return [
        b.attempt(f"t{task}", draw=draw, outcome="solved" if task < solved else "unsolved", **fields)
        for task in range(tasks)
        for draw in range(1, draws + 1)
    ]


def test_a_comparison_says_difference_interval_and_what_it_could_have_found():
    [one] = compare([side("a", drawn(8)), side("b", drawn(4))])
    text = " ".join(sentences(one))
    assert one.difference.difference == pytest.approx(0.4)
    assert "a minus b: +0.400 (paired 95% interval" in text
    assert "Smallest difference this design would have found" in text
    assert "twice the tasks" in text


def test_only_the_same_edition_of_a_task_is_compared():
    changed = [b.attempt("t0", draw=1, digest="bw1:new"), b.attempt("extra", draw=1)]
    [one] = compare([side("a", drawn(8)), side("b", drawn(4)[3:] + changed)])
    assert one.difference.tasks == 9
    assert one.left_out == {
        "only b was asked": ["kernels/extra"],
        "in another edition (version, digest, prompt, data, device or labels seen)": ["kernels/t0"],
    }


def test_emulated_and_device_are_not_compared():
    with pytest.raises(UserError, match="share no task"):
        compare([side("a", drawn(8, device="emulated")), side("b", drawn(4, device="card"))])


def test_unsafe_attempts_are_not_compared_with_isolated_ones():
    with pytest.raises(UserError, match="share no task"):
        compare([side("a", drawn(8)), side("b", drawn(4, isolation="unsafe"))])


def test_refusals_are_shown_and_their_worst_reading_too():
    refused = [b.attempt(f"t{task}", draw=4, outcome="refused") for task in range(5)]
    [one] = compare([side("a", drawn(8) + refused), side("b", drawn(4))])
    text = " ".join(sentences(one))
    assert "5 refused; they count nowhere" in text
    assert "With refusals and truncations counted as failures: +0.275" in text


def test_several_sides_are_compared_pair_by_pair_with_adjusted_p():
    found = compare([side("a", drawn(9)), side("b", drawn(5)), side("c", drawn(1))])
    assert [(one.a, one.b) for one in found] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert all(one.p_adjusted >= one.difference.p for one in found)


def test_sides_without_a_common_suite_are_refused():
    with pytest.raises(UserError, match="two sides that share a suite"):
        compare([side("a", drawn(3)), side("b", drawn(3), suite="handnet")])


def test_models_of_the_board_can_be_named(tmp_path):
    root = tmp_path / "leaderboard"
    b.write(root, drawn(8, model="p/good") + drawn(4, model="p/bad"))
    [good, bad] = find(["p/good", "p/bad"], tmp_path / "runs", root)
    assert (good.label, bad.label) == ("p/good", "p/bad")
    assert len(good.attempts) == 30


def revised(model, scores, labels):
    rounds = [b.round_of(score, labels=label) for score, label in zip(scores, labels, strict=True)]
    fields = {"score": scores[-1], "outcome": "unsolved", "protocol": "revise", "labels_seen": labels[-1]}
    return [b.attempt(f"t{task}", model=model, rounds=rounds, **fields) for task in range(6)]


def test_rounds_of_revision_are_not_mixed(tmp_path):
    root = tmp_path / "leaderboard"
    b.write(root, revised("p/twice", [0.3, 0.9], [0, 500]) + revised("p/once", [0.5], [0]))
    with pytest.raises(UserError, match="labels seen"):
        compare(find(["p/twice", "p/once"], tmp_path, root))
    [one] = compare(find(["p/twice", "p/once"], tmp_path, root, 0))
    assert one.difference.difference == pytest.approx(-0.2)


def test_snapshots_are_sides_of_their_own(tmp_path):
    root = tmp_path / "leaderboard"
    b.write(root, [*drawn(8, model="p/x", draws=1), b.attempt("t0", model="p/x", draw=2, answered="x-2")])
    found = find(["p/x"], tmp_path, root)
    assert [side.label for side in found] == ["p/x (strong-20261001, somebody)", "p/x (x-2, somebody)"]


def test_a_name_that_is_nothing_is_refused_with_the_nearest(tmp_path):
    root = tmp_path / "leaderboard"
    b.write(root, drawn(8, model="p/good"))
    with pytest.raises(UserError, match=r"Did you mean `p/good`\?"):
        find(["p/god"], tmp_path / "runs", root)


def test_a_run_of_several_models_is_compared_model_by_model_and_runs_by_their_ids(bench):
    made = [
        bench("run", "--suite", "sums", "--model", "reference", "--model", "starter", "--no-mlflow", "--out", name)
        for name in ("one", "two")
    ]
    assert [done.returncode for done in made] == [0, 0], made[0].stderr
    inside = bench("compare", "one")
    assert inside.returncode == 0, inside.stderr
    assert "reference minus starter: +1.000" in inside.stdout
    across = bench("compare", "one", "two", "--json")
    assert across.returncode == 0, across.stderr
    assert across.stdout.count('"suite"') == 6
    assert bench("compare", "one", "one").returncode == 2
    wrong = bench("compare", "one", "nothing")
    assert wrong.returncode == 2
    assert "Traceback" not in wrong.stderr


def test_a_round_that_nobody_played_is_told(tmp_path):
    root = tmp_path / "leaderboard"
    b.write(root, revised("p/twice", [0.3, 0.9], [0, 500]) + revised("p/once", [0.5], [0]))
    with pytest.raises(UserError, match=r"p/twice \(board\) has no round 3 at kernels: its last is round 1\."):
        find(["p/twice", "p/once"], tmp_path, root, 3)


def test_why_an_imported_log_shares_nothing_with_a_run_is_told():
    with pytest.raises(UserError, match="stands under task ids and digests of its own"):
        compare([side("a", drawn(8)), side("b", [b.attempt("other", set="imported")])])
