"""Transcripts of a run that wants to join: whole, unchanged, and audited where a provider's events lie there."""

from __future__ import annotations

import sys
import types

import board_files as b
import msgspec
import pytest
from benchwright.digests import sha256
from benchwright.journal import turns
from benchwright.leaderboard import transcripts

EVENTS = b'{"type":"message"}\n'


@pytest.fixture
def played(tmp_path):
    """(run folder, its one attempt, the attempt's folder): one turn with a provider's events."""
    one = b.attempt("a")
    place = turns.attempt_folder(tmp_path, one.task.id, one.model.name, one.draw)
    files = turns.Files(place)
    files.write("turn-01/events.jsonl", EVENTS)
    state = turns.state(files, one.attempt, one.outcome)
    return tmp_path, msgspec.structs.replace(one, files={"state.json": state}), place


def audit(found):
    module = types.ModuleType("benchwright_logs.audit")
    module.problems = lambda folder: found
    return module


def test_events_of_a_provider_need_the_audit(played, monkeypatch):
    run, one, _ = played
    monkeypatch.setitem(sys.modules, "benchwright_logs.audit", None)
    [problem] = transcripts.problems(run, [one])
    assert "the audit that reads them is not installed: pip install benchwright-logs" in problem


def test_what_the_audit_finds_keeps_a_run_off_the_board(played, monkeypatch):
    run, one, _ = played
    monkeypatch.setitem(sys.modules, "benchwright_logs.audit", audit(["turn-01: a web search"]))
    assert list(transcripts.problems(run, [one])) == ["turn-01: a web search"]
    monkeypatch.setitem(sys.modules, "benchwright_logs.audit", audit([]))
    assert list(transcripts.problems(run, [one])) == []


def test_a_changed_event_is_found_by_its_hash(played, monkeypatch):
    run, one, place = played
    monkeypatch.setitem(sys.modules, "benchwright_logs.audit", audit([]))
    (place / "turn-01" / "events.jsonl").write_bytes(EVENTS + b"\n")
    [problem] = transcripts.problems(run, [one])
    assert "another hash" in problem


def test_a_file_name_that_leads_out_of_the_folder_is_not_followed(played):
    run, one, _ = played
    wrong = msgspec.structs.replace(one, files={"../../../etc/hostname": sha256(b"")})
    [problem] = transcripts.problems(run, [wrong])
    assert "leads out" in problem
