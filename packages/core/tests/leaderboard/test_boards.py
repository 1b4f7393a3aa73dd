"""What a board shows, and what it never mixes."""

from __future__ import annotations

import board_files as b
import pytest
from benchwright import stats
from benchwright.leaderboard.boards import make_boards
from benchwright.leaderboard.drawn import role, sort_attempts
from benchwright.leaderboard.overall import make_overall


def boards(root, known):
    return make_boards(sort_attempts(b.files(root)), known)


def rows(root, known):
    [board] = boards(root, known)
    return {row.model: row for row in board.rows}


@pytest.mark.parametrize(
    "other",
    [
        {"suite": "handnet"},
        {"set": "warmup"},
        {"tier": "accelerated"},
        {"device": "emulated"},
        {"settings": {"structured": True}},
        {"settings": {"network": True}},
        {"metrics": {"self_contained": 0}},
        {"digest": "bw1:changed", "started": "2026-11-02T10:00:00Z"},
        {"data": "sha256:other", "started": "2026-11-02T10:00:00Z"},
    ],
    ids=lambda other: next(iter(other)),
)
def test_what_is_another_measurement_stands_on_another_board(tmp_path, known, other):
    b.write(tmp_path, [b.attempt("a", draw=1), b.attempt("a", draw=2, **other)])
    assert [board.rows[0].n for board in boards(tmp_path, known)] == [1, 1]


def test_two_data_sets_of_one_task_are_two_editions(tmp_path, known):
    b.write(
        tmp_path,
        [
            b.attempt("a", draw=1, data="sha256:1"),
            b.attempt("a", draw=2, data="sha256:2", started="2026-11-03T00:00:00Z"),
        ],
    )
    newest, older = boards(tmp_path, known)
    assert (newest.key.edition, older.key.edition) == (0, 1)
    assert newest.rows[0].date == "2026-11-03"


def test_an_emulated_kernel_and_one_on_a_device_are_never_averaged(tmp_path, known):
    b.write(
        tmp_path, [b.attempt("a", draw=1, device="emulated"), b.attempt("a", draw=2, device="card", outcome="unsolved")]
    )
    assert {board.key.device: board.rows[0].score for board in boards(tmp_path, known)} == {
        "emulated": 1.0,
        "card": 0.0,
    }


def test_an_attempt_that_was_never_graded_is_put_where_its_neighbours_are(tmp_path, known):
    b.write(
        tmp_path,
        [
            b.attempt("a", draw=1, device="emulated", data="sha256:1"),
            b.attempt("a", draw=2, outcome="no_submission"),
            b.attempt("b", draw=1, outcome="refused", answered=None),
        ],
    )
    [board] = boards(tmp_path, known)
    [row] = board.rows
    assert (row.k, row.n, row.missing) == (1, 2, {"refused": 1})
    assert board.key.device == "emulated"


def test_two_snapshots_never_pool(tmp_path, known):
    b.write(tmp_path, [b.attempt("a", draw=1), b.attempt("a", draw=2, answered="strong-20261101")])
    [board] = boards(tmp_path, known)
    assert [(row.answered, row.n) for row in board.rows] == [("strong-20261001", 1), ("strong-20261101", 1)]


def test_rounds_of_revision_have_boards_of_their_own(tmp_path, known):
    b.write(
        tmp_path,
        [
            b.attempt(
                "a",
                outcome="unsolved",
                score=0.8,
                protocol="revise",
                labels_seen=500,
                rounds=[b.round_of(0.5), b.round_of(0.8, labels=500)],
            )
        ],
    )
    assert [(board.key.round, board.rows[0].score, board.rows[0].labels_seen) for board in boards(tmp_path, known)] == [
        (0, 0.5, 0),
        (1, 0.8, 500),
    ]


def test_a_control_that_answers_every_round_alike_is_shown_once(tmp_path, known):
    rounds = [b.round_of(1.0), b.round_of(1.0, labels=500)]
    b.write(tmp_path, [b.attempt("a", model="reference", protocol="revise", rounds=rounds)])
    assert [board.key.round for board in boards(tmp_path, known)] == [0]


def test_mutants_and_draws_for_calibration_are_on_no_board(tmp_path, known):
    b.write(tmp_path, [b.attempt("a"), b.attempt("a", model="mutant/one", answered=None, outcome="unsolved")])
    b.write(tmp_path, [b.attempt("a", draw=1, outcome="unsolved")], run="20261101-100000-bbbb", purpose="calibration")
    [board] = boards(tmp_path, known)
    assert [(row.model, row.k, row.n) for row in board.rows] == [("provider/strong", 1, 1)]


def test_missing_draws_leave_the_rate_and_stay_in_sight(tmp_path, known):
    b.write(
        tmp_path,
        [
            b.attempt("a", draw=1),
            b.attempt("a", draw=2, outcome="refused"),
            b.attempt("b", draw=1),
            b.attempt("b", draw=2, outcome="no_submission", parse_failure=True),
        ],
    )
    row = rows(tmp_path, known)["provider/strong"]
    assert (row.score, row.k, row.n) == (0.75, 2, 3)
    assert row.strict_score == 0.5
    assert row.evidence_rate == 0.75
    assert row.parse_failure_rate == pytest.approx(1 / 3, abs=1e-6)
    assert row.missing == {"refused": 1}


def test_a_row_without_evidence_is_not_run(tmp_path, known):
    b.write(tmp_path, [b.attempt("a", outcome="needs_data", answered=None)])
    row = rows(tmp_path, known)["provider/strong"]
    assert row.score is row.low is row.rank is None
    assert row.rank_note == "not run"


def many(model, solved, tasks=12, draws=2, **fields):
    return [
        b.attempt(f"t{task}", model=model, draw=draw, outcome="solved" if task < solved else "unsolved", **fields)
        for task in range(tasks)
        for draw in range(1, draws + 1)
    ]


def test_ranks_are_what_paired_tests_leave_open(tmp_path, known):
    b.write(tmp_path, many("p/good", 12) + many("p/also", 12) + many("p/bad", 0) + many("reference", 12))
    found = rows(tmp_path, known)
    assert found["p/good"].rank == found["p/also"].rank == (1, 2)
    assert found["p/bad"].rank == (3, 3)
    assert found["reference"].rank is None
    assert found["reference"].rank_note == "a control"


def test_a_row_that_lacks_tasks_is_shown_and_not_ranked(tmp_path, known):
    b.write(tmp_path, many("p/whole", 12) + many("p/part", 5, tasks=5))
    found = rows(tmp_path, known)
    assert found["p/part"].rank_note == "5 of 12 tasks"
    assert found["p/whole"].rank == (1, 1)


def test_a_task_that_nobody_could_run_makes_no_row_incomplete(tmp_path, known):
    lacking = [b.attempt("nobody", model=model, outcome="needs_data", answered=None) for model in ("p/a", "p/b")]
    b.write(tmp_path, many("p/a", 12) + many("p/b", 3) + lacking)
    found = rows(tmp_path, known)
    assert found["p/a"].rank == (1, 1)
    assert found["p/a"].missing == {"needs_data": 1}
    assert "kernels/nobody" in boards(tmp_path, known)[0].tasks


def test_a_rank_that_hangs_on_refusals_is_withheld(tmp_path, known):
    refusing = many("p/refusing", 9, tasks=9) + [
        b.attempt(f"t{task}", model="p/refusing", draw=draw, outcome="refused" if draw == 1 else "solved")
        for task in range(9, 12)
        for draw in (1, 2)
    ]
    b.write(tmp_path, refusing + many("p/other", 11))
    found = rows(tmp_path, known)
    assert found["p/refusing"].score == 1.0
    assert found["p/refusing"].strict_score < found["p/other"].score
    assert found["p/refusing"].rank_note.startswith("withheld")
    assert found["p/other"].rank is not None


def test_rows_are_self_reported_until_somebody_else_gets_the_same(tmp_path, known):
    b.write(tmp_path, many("p/one", 8))
    assert rows(tmp_path, known)["p/one"].status == "self-reported"
    later = {"started": "2026-11-05T00:00:00Z"}
    b.write(tmp_path, many("p/one", 8, **later), run="20261105-000000-bbbb", by="another")
    [board] = boards(tmp_path, known)
    assert {row.by: row.status for row in board.rows} == {
        "somebody": "reproduced by another",
        "another": "reproduction of somebody",
    }
    assert [row.rank for row in board.rows].count(None) == 1


def test_a_claim_that_another_run_contradicts_says_so(tmp_path, known):
    b.write(tmp_path, many("p/one", 12))
    b.write(tmp_path, many("p/one", 2, started="2026-11-05T00:00:00Z"), run="20261105-000000-bbbb", by="another")
    [board] = boards(tmp_path, known)
    assert {row.by: row.status for row in board.rows}["somebody"] == "not reproduced by another"


def test_costs_are_a_draw_of_every_task_and_a_solved_attempt(tmp_path, known):
    b.write(
        tmp_path,
        [
            b.attempt("a", draw=1, usage=b.tokens(), cost=0.01),
            b.attempt("a", draw=2, usage=b.tokens(), cost=0.03, outcome="unsolved"),
            b.attempt("b", draw=1, usage=b.tokens(), cost=0.10),
        ],
    )
    row = rows(tmp_path, known)["provider/strong"]
    assert row.cost_per_draw == pytest.approx(0.02 + 0.10)
    assert row.cost_per_solved == pytest.approx(0.14 / 2)
    assert (row.tokens_in, row.tokens_out) == (3000, 6000)


def test_a_model_without_a_price_has_tokens_and_no_cost(tmp_path, known):
    b.write(tmp_path, [b.attempt("a", draw=1, usage=b.tokens())])
    row = rows(tmp_path, known)["provider/strong"]
    assert (row.cost_per_draw, row.cost_note, row.tokens_out) == (None, "no price on record", 2000)


def test_a_model_is_dominated_only_by_one_that_is_cheaper_and_significantly_better(tmp_path, known):
    dear = {"usage": b.tokens(), "cost": 0.5}
    cheap = {"usage": b.tokens(), "cost": 0.1}
    b.write(tmp_path, many("p/dear", 2, **dear) + many("p/cheap", 12, **cheap) + many("p/near", 11, **dear))
    found = rows(tmp_path, known)
    assert found["p/dear"].dominated_by == "p/cheap (strong-20261001)"
    assert found["p/near"].dominated_by == found["p/cheap"].dominated_by == ""


def test_the_board_names_the_difference_it_could_find(tmp_path, known):
    b.write(tmp_path, many("p/one", 8))
    assert boards(tmp_path, known)[0].detectable is None
    b.write(tmp_path, many("p/two", 5), run="20261101-100000-bbbb")
    [board] = boards(tmp_path, known)
    [pair] = board.pairs
    assert board.detectable == pair.detectable > 0


def test_repeated_draws_give_success_within_all_of_them(tmp_path, known):
    b.write(
        tmp_path,
        [b.attempt(f"t{t}", draw=d, outcome="solved" if d <= t else "unsolved") for t in range(4) for d in (1, 2, 3)],
    )
    within = rows(tmp_path, known)["provider/strong"].within
    assert within.k == 3
    assert within.any[0] == pytest.approx(sum(stats.pass_at_k(3, t, 3) for t in range(4)) / 4, abs=1e-6)
    assert within.all[0] == 0.25


def everything(root, models, suites=("weightspace", "handnet", "kernels")):
    attempts = []
    for model in models:
        for suite in suites:
            attempts += many(model, 6, suite=suite)
    b.write(root, attempts)


def test_across_benchmarks_only_complete_models_have_a_score(tmp_path, known):
    everything(tmp_path, ["p/whole"])
    b.write(tmp_path, many("p/part", 6, suite="kernels"), run="20261101-100000-bbbb")
    overall = make_overall(sort_attempts(b.files(tmp_path)), known)
    found = {row.model: row for row in overall.rows}
    assert found["p/whole"].score == 0.5
    assert found["p/whole"].low < 0.5 < found["p/whole"].high
    assert found["p/part"].score is None
    assert found["p/part"].missing == ["handnet", "weightspace"]


def test_a_benchmark_in_part_is_a_benchmark_missing(tmp_path, known):
    everything(tmp_path, ["p/whole"])
    part = many("p/part", 6, suite="weightspace") + many("p/part", 6, suite="handnet")
    b.write(tmp_path, part + many("p/part", 3, tasks=5, suite="kernels"), run="20261101-100000-bbbb")
    overall = make_overall(sort_attempts(b.files(tmp_path)), known)
    assert {row.model: row.missing for row in overall.rows}["p/part"] == ["kernels"]


def test_without_a_board_for_every_weighted_suite_there_is_no_overall_board(tmp_path, known):
    everything(tmp_path, ["p/whole"], suites=("kernels", "handnet"))
    assert make_overall(sort_attempts(b.files(tmp_path)), known) is None


def test_a_calibrated_set_comes_before_warm_up_in_the_overall_score(tmp_path, known):
    everything(tmp_path, ["p/whole"])
    b.write(tmp_path, many("p/whole", 12, suite="kernels", set="warmup"), run="20261101-100000-bbbb")
    overall = make_overall(sort_attempts(b.files(tmp_path)), known)
    assert overall.boards["kernels"].set == "laptop-1"


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("reference", "control"),
        ("starter", "control"),
        ("mutant/no_barrier", "mutant"),
        ("file:my_net.py", "person"),
        ("anthropic/claude[effort=high]", "model"),
        ("A name in Words", "model"),
    ],
)
def test_a_row_has_the_role_of_its_provider(model, expected):
    assert role(model) == expected
