"""Labels that a written network is worth: read off the curve of trained models, with an interval."""

import pytest
from benchwright import Attempt, DataRef
from benchwright.records import ModelRef, ProtocolRecord, TaskRef
from handnet_bench import baselines, calibration, reporting, tasks
from handnet_bench.baselines import Curve, Point

CURVE = Curve(
    "a learner",
    "a set",
    (Point(100, (0.6, 0.62)), Point(1000, (0.8, 0.8)), Point(2000, (0.79, 0.79)), Point(5000, (0.9, 0.9))),
)


@pytest.fixture
def curve(monkeypatch):
    monkeypatch.setattr(baselines, "curves", lambda: {"mnist": (CURVE,)})


def test_an_accuracy_between_two_points_is_worth_labels_between_them(curve):
    found = baselines.equivalent("mnist", 7050, 10000)
    assert 300 < found.labels < 330
    assert found.low < found.labels < found.high


def test_the_ends_of_the_curve_are_named_not_extrapolated(curve):
    assert baselines.equivalent("mnist", 9500, 10000).labels is None
    assert baselines.equivalent("mnist", 1000, 10000).labels == 0
    assert baselines.words(None, 5000) == "more than 5,000"
    assert baselines.words(0, 5000) == "fewer than the curve's least"


def test_the_curve_is_made_monotone_before_it_is_read(curve):
    assert 2000 < baselines.equivalent("mnist", 8200, 10000).labels < 5000


def test_fewer_rows_give_a_wider_interval(curve):
    few, many = baselines.equivalent("mnist", 70, 100), baselines.equivalent("mnist", 7000, 10000)
    assert (few.high or 5000) - few.low > many.high - many.low


def test_a_task_without_a_curve_has_no_equivalent(curve):
    assert baselines.equivalent("addition", 5, 10) is None


def test_the_checked_in_curves_rise_from_100_to_5000_labels():
    for slug, found in baselines.curves().items():
        assert slug in tasks.BY_SLUG
        for one in found:
            labels = [point.labels for point in one.points]
            assert labels == sorted(labels)
            assert (labels[0], labels[-1]) == (100, 5000)
            assert one.points[-1].mean > one.points[0].mean


def attempt(score, model="someone", nonzero=30, outcome="solved"):
    metrics = {
        "accuracy": score,
        "accuracy_low": score - 0.01,
        "accuracy_high": score + 0.01,
        "nonzero": nonzero,
        "label_equivalent": 300,
    }
    metrics |= {"label_equivalent_low": 250, "label_equivalent_high": 5000}
    return Attempt(
        run="r", attempt="a", task=TaskRef("handnet/mnist", "1", "bw1:0", "warmup", "laptop", "handnet"), model=ModelRef(model), draw=1,
        outcome=outcome, score=score, metrics=metrics, failed_checks=[], violations=[], protocol=ProtocolRecord("revise", 1, 500),
        usage=None, cost_usd=None, isolation="x", device=None, data=DataRef("d", "s", 10000, True), environment="e", started="t",
        seconds=1.0, files={},
    )  # fmt: skip


def test_calibration_gives_each_model_the_worth_of_its_best_attempt(curve):
    found = calibration.calibrate(
        tasks.BY_SLUG["mnist"],
        [attempt(0.7), attempt(0.705), attempt(0.2, "another"), attempt(0.9, "lost", outcome="refused")],
    )
    assert set(found.equivalents) == {"someone", "another"}
    assert found.equivalents["someone"]["accuracy"] == 0.705
    assert found.equivalents["someone"]["labels_seen"] == 500
    assert found.equivalents["another"]["labels"] == 0
    assert found.equivalents["someone"]["curve_ends_at"] == 5000


def test_the_report_has_a_row_an_attempt_and_a_figure_of_accuracy_against_weights(curve):
    [section] = reporting.sections([attempt(0.7), attempt(0.8, "a & b")])
    [table] = section.tables
    assert len(table.rows) == 2
    assert table.rows[0][table.columns.index("worth in labels")] == "300 (250 to more than 5,000)"
    assert table.rows[0][table.columns.index("accuracy")] == "0.7000"
    assert section.at_end
    [svg] = section.figures.values()
    assert svg.count(b"<circle") == 2
    assert b"a &amp; b" in svg
    assert reporting.sections([]) == []


def test_a_worth_whose_ends_are_the_same_words_is_said_once(curve):
    exact = attempt(0.95)
    exact.metrics.update(label_equivalent=5000, label_equivalent_low=5000, label_equivalent_high=5000)
    least = attempt(0.1)
    least.metrics.update(label_equivalent=0, label_equivalent_low=0, label_equivalent_high=0)
    [section] = reporting.sections([exact, least])
    [table] = section.tables
    worth = [row[table.columns.index("worth in labels")] for row in table.rows]
    assert worth == ["more than 5,000", "fewer than the curve's least"]


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        (1, "1 label"),
        (1200, "1,200 labels"),
        (None, "more than 5,000 labels"),
        (0, "fewer labels than the curve's least"),
    ],
)
def test_a_worth_is_said_with_its_noun(labels, said):
    assert baselines.worth(labels, 5000) == said


def test_every_task_has_a_curve_that_says_how_it_was_made():
    import json
    from importlib import resources

    record = json.loads((resources.files("handnet_bench") / "data" / "baselines.json").read_text())
    assert set(record["tasks"]) == set(record["provenance"]) == set(tasks.BY_SLUG)
    for slug, made in record["provenance"].items():
        assert made["script"] == "benchmarks/handnet_baselines.py"
        for found in baselines.curves()[slug]:
            assert [point.labels for point in found.points] == made["labels"]
            # All training rows are one sample, whatever the seed.
            assert all(len(point.accuracies) in (1, len(made["seeds"])) for point in found.points)


def test_an_exact_network_for_induction_is_worth_more_than_its_curve_reaches():
    found = baselines.equivalent("induction", 2000, 2000)
    assert (found.labels, found.low, found.high, found.most_labels) == (None, None, None, 5000)
    middling = baselines.equivalent("induction", 300, 2000)
    assert 1000 < middling.low < middling.labels < middling.high <= 5000
