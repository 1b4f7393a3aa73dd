"""The file of admitted attempts: nothing lost, one changed byte found."""

from __future__ import annotations

import board_files as b
import msgspec
import pytest
from benchwright.errors import FileError
from benchwright.leaderboard import entries
from benchwright.records import Violation


def test_an_attempt_comes_back_as_it_went_in(tmp_path):
    sent = [
        b.attempt("a", draw=2, usage=b.tokens(), metrics={"tests": 3}),
        b.attempt("b", outcome="unsolved", failed_checks=["test_x"], violations=[Violation("r", "f:1", "why")]),
        b.attempt("b", model="reference", answered=None, data="sha256:d", device="emulated", reason="text | here"),
    ]
    b.write(tmp_path, sent)
    [found] = b.files(tmp_path)
    back = {one.attempt: one for one in map(found.attempt, found.entries)}
    for one in sent:
        assert back[one.attempt] == msgspec.structs.replace(one, run=found.header.run)


def test_the_bytes_do_not_depend_on_the_order_of_finishing(tmp_path):
    sent = [b.attempt(task, draw=draw) for task in "abc" for draw in (1, 2)]
    first = b.write(tmp_path / "1", sent).read_bytes()
    assert b.write(tmp_path / "2", sent[::-1]).read_bytes() == first


@pytest.mark.parametrize("where", [0.1, 0.5, 0.9])
def test_one_changed_byte_is_found_with_its_line(tmp_path, where):
    path = b.write(tmp_path, [b.attempt(task) for task in "abcdef"])
    raw = bytearray(path.read_bytes())
    at = int(len(raw) * where)
    raw[at] ^= 1
    path.write_bytes(raw)
    line = raw[:at].count(b"\n") + 1
    with pytest.raises(FileError, match=rf"{path.name}:\d+.*different hash") as error:
        entries.read(path)
    assert error.value.place.endswith(f":{line}") or raw[at] == 10


END = "its last line has no end: it was cut, or something was written behind the last whole line"


def test_a_file_that_was_cut_is_refused(tmp_path):
    path = b.write(tmp_path, [b.attempt("a"), b.attempt("b")])
    raw = path.read_bytes()
    path.write_bytes(raw[:-20])
    with pytest.raises(FileError, match=END):
        entries.read(path)
    path.write_bytes(raw + b"more")
    with pytest.raises(FileError, match=END):
        entries.read(path)
    path.write_bytes(raw[: raw[:-1].rindex(b"\n") + 1])
    with pytest.raises(FileError, match="holds 1 attempt and its head says 2"):
        entries.read(path)


def test_a_run_stands_on_the_board_once(tmp_path):
    path = b.write(tmp_path, [b.attempt("a")])
    path.with_name("copy.jsonl").write_bytes(path.read_bytes())
    with pytest.raises(FileError, match="holds the same run as"):
        entries.read_all(path.parent)


def test_an_attempt_that_stands_there_twice_is_refused(tmp_path):
    b.write(tmp_path, [b.attempt("a"), b.attempt("a")])
    with pytest.raises(FileError, match="an attempt twice"):
        b.files(tmp_path)


def test_a_newer_schema_is_refused_in_a_sentence(tmp_path, monkeypatch):
    path = b.write(tmp_path, [b.attempt("a")])
    monkeypatch.setattr(entries, "SCHEMA", 0)
    with pytest.raises(FileError, match="upgrade benchwright"):
        entries.read(path)


def test_a_file_of_something_else_is_refused(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_text("{}\n")
    with pytest.raises(FileError, match="different hash"):
        entries.read(path)
