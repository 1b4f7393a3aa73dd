"""The report is one file that shows what was measured and runs nothing that a model wrote."""

import re

import msgspec
import pytest
from benchwright import report
from benchwright.errors import FileError
from benchwright.records import Section, Table


def test_the_report_escapes_whatever_a_model_wrote(run):
    page = report.write(run).read_text()
    assert "<script" not in page
    assert "<b>bold" not in page
    assert "&lt;script&gt;alert(1)" in page


def test_the_report_needs_no_other_file(run):
    page = report.write(run).read_text()
    assert not re.findall(r"(?:src|href)=[\"'](?!data:)", page)
    assert "default-src 'none'" in page


def test_the_report_shows_a_row_a_model_with_its_interval(run, attempts):
    table = report.model_table(attempts)
    by_model = {row[0]: dict(zip(table.columns, row, strict=True)) for row in table.rows}
    assert by_model["reference"]["solved"] == "6/6"
    assert by_model["anthropic/claude-x[effort=high]"]["score"] == "0.750"
    assert re.fullmatch(r"0\.\d\d to [01]\.\d\d", by_model["reference"]["95% interval"])
    page = report.write(run).read_text()
    for row in table.rows:
        assert all(str(value) in page for value in row if value is not None)


def test_costs_are_shown_where_any_model_was_paid_and_not_where_none_was(attempts):
    unpaid = [msgspec.structs.replace(a, usage=None, cost_usd=None) for a in attempts if a.model.name == "reference"]
    paid = [a for a in attempts if a.model.name != "reference"]
    table = report.model_table([*unpaid, *paid])
    by_model = {row[0]: dict(zip(table.columns, row, strict=True)) for row in table.rows}
    assert by_model["anthropic/claude-x[effort=high]"]["cost/draw"].startswith("$")
    assert by_model["reference"]["cost/draw"] == ""
    free = report.model_table(unpaid)
    assert free.columns == ("model", "solved", "score", "95% interval", "draws", "no evidence")
    assert len(free.rows[0]) == len(free.columns)


def test_a_model_without_evidence_is_not_run_rather_than_zero(attempts):
    refused = [msgspec.structs.replace(a, outcome="refused", score=None) for a in attempts]
    table = report.model_table(refused)
    assert dict(zip(table.columns, table.rows[0], strict=True))["score"] is None


def test_a_folder_that_is_no_run_is_refused_in_a_sentence(tmp_path):
    with pytest.raises(FileError, match="is not a run folder"):
        report.write(tmp_path)


def test_a_table_without_a_row_is_left_out_and_so_is_a_section_of_nothing_else():
    empty, full = Table(("task",), ()), Table(("task",), (("a",),))
    assert report._filled(Section("t", "why", (empty,))) is None
    assert report._filled(Section("t", "why", (empty, full))).tables == (full,)
    assert report._filled(Section("t", "why")) == Section("t", "why")
    assert report._filled(Section("t", tables=(empty,), notes=("said",))).tables == ()
