"""One quantity is written alike, whoever shows it, and a file is called what its owner calls it."""

from pathlib import Path

import msgspec
from benchwright import Attempt, figures, report
from benchwright.cli.output import aligned
from benchwright.cli.regrade import _verdict
from benchwright.cli.score import _named
from benchwright.cli.watching import _Group
from benchwright.records import ModelRef, ProtocolRecord, Round, TaskRef

BELOW = 0.012499999999999999
"""What a mean that is 0.0125 on paper may be in floating point; cut after three digits it would be 0.012."""

ATTEMPT = Attempt(
    run="r", attempt="a", task=TaskRef("sums/one", "1", "bw1:0", "warmup", "laptop", "sums"), model=ModelRef("m"), draw=1,
    outcome="unsolved", score=BELOW, metrics={}, failed_checks=[], violations=[], protocol=ProtocolRecord("single", 1, 0),
    usage=None, cost_usd=None, isolation="x", device=None, data=None, environment="e", started="t", seconds=1.0, files={},
)  # fmt: skip


def test_a_score_is_rounded_alike_while_a_run_goes_on_at_its_end_in_its_report_and_in_a_comparison() -> None:
    table = report.model_table([ATTEMPT])
    group = _Group(2)
    group.add(ATTEMPT)
    [_, row] = aligned(("task", "score"), [("sums/one", BELOW)]).splitlines()
    shown = {
        "compare": figures.score(BELOW),
        "end of a run": table.rows[0][table.columns.index("score")],
        "progress": group.words().rpartition(" ")[2],
        "a table of the report": row.split()[-1],
        "report.html": report._cell(BELOW),
        "regrade": _verdict(ATTEMPT).rpartition(" ")[2],
    }
    assert shown == dict.fromkeys(shown, "0.013")


def test_what_was_not_run_is_no_number_wherever_it_stands() -> None:
    lost = msgspec.structs.replace(ATTEMPT, outcome="refused", score=None)
    assert report._cell(None) == figures.score(None) == "not run"
    assert aligned(("task", "score"), [("sums/one", None)]).endswith("not run")
    assert _verdict(lost) == "refused"


def test_a_person_is_told_of_the_file_that_they_gave_and_not_of_the_name_it_was_handed_in_under(tmp_path: Path) -> None:
    files = {"submission/net.py": "sha256:x"}
    played = msgspec.structs.replace(ATTEMPT, rounds=[Round(0.0, False, 0, "rule_violation", files)])
    mine = Path("work/mine.json")
    named = _named(played, [mine])
    assert [named(place) for place in ("net.py:12", "net.py", "net.pyx:1", "value")] == [
        "work/mine.json:12", "work/mine.json", "net.pyx:1", "value",
    ]  # fmt: skip
    for several in (_named(played, [mine, Path("other.py")]), _named(played, [tmp_path]), _named(ATTEMPT, [mine])):
        assert several("net.py:12") == "net.py:12"
