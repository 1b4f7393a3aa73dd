"""Logs of Inspect AI, read without it. Real logs are read in `test_inspect_real.py`."""

from __future__ import annotations

import io
import json
import zipfile

import msgspec
import pytest
from benchwright.errors import FileError, UserError
from benchwright.leaderboard import imported, inspect_log


def sample(id=1, epoch=1, value="C", stop="stop", **fields):
    return {
        "id": id,
        "epoch": epoch,
        "input": f"question {id}",
        "target": "answer",
        "scores": {"match": {"value": value}},
        "output": {"model": "m-20260101", "choices": [{"stop_reason": stop, "message": {"content": "x"}}]},
        "model_usage": {"m": {"input_tokens": 5, "output_tokens": 7}},
        **fields,
    }


def log(samples, **fields):
    return {
        "version": 2,
        "status": "success",
        "eval": {
            "task": "quiz",
            "model": "provider/m",
            "created": "2026-11-01T10:00:00+00:00",
            "model_generate_config": {"temperature": 0.5, "max_connections": 3},
            "packages": {"inspect_ai": "0.3.285"},
        },
        "results": {"scores": [{"name": "match"}]},
        "samples": samples,
        **fields,
    }


def write_json(tmp_path, samples, **fields):
    path = tmp_path / "log.json"
    path.write_text(json.dumps(log(samples, **fields)))
    return path


def write_eval(tmp_path, samples, method=zipfile.ZIP_DEFLATED, name="log.eval", more=()):
    content = log(samples)
    path = tmp_path / name
    with zipfile.ZipFile(path, "w", method) as archive:
        archive.writestr("header.json", json.dumps({k: v for k, v in content.items() if k != "samples"}))
        for one in samples:
            archive.writestr(f"samples/{one['id']}_epoch_{one['epoch']}.json", json.dumps(one))
        for inside, text in more:
            archive.writestr(inside, text)
    return path


CASES = [
    sample(1),
    sample(2, value="I"),
    sample(1, epoch=2, value=0.5),
    sample(2, epoch=2, stop="content_filter", value="I"),
]


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_archive_and_json_give_the_same_attempts(tmp_path, method):
    ours = [
        msgspec.structs.replace(one, run="") for one in inspect_log.read(write_eval(tmp_path, CASES, method)).attempts
    ]
    theirs = [msgspec.structs.replace(one, run="") for one in inspect_log.read(write_json(tmp_path, CASES)).attempts]
    assert sorted(ours, key=lambda one: one.attempt) == sorted(theirs, key=lambda one: one.attempt)


def test_an_epoch_is_a_draw_with_its_own_score(tmp_path):
    found = inspect_log.read(write_json(tmp_path, CASES)).attempts
    assert [(one.task.id, one.draw, one.outcome, one.score) for one in found] == [
        ("inspect/quiz__1", 1, "solved", 1.0),
        ("inspect/quiz__2", 1, "unsolved", 0.0),
        ("inspect/quiz__1", 2, "unsolved", 0.5),
        ("inspect/quiz__2", 2, "refused", None),
    ]
    assert found[0].model.name == "provider/m[temperature=0.5]"
    assert found[0].model.answered == "m-20260101"
    assert (found[0].usage.input, found[0].usage.output) == (5, 7)


@pytest.mark.parametrize(
    ("value", "score"),
    [("C", 1.0), ("I", 0.0), ("P", 0.5), ("N", 0.0), (True, 1.0), (0, 0.0), (0.25, 0.25), ("0.75", 0.75), ("yes", 1.0)],
)
def test_values_are_read_as_inspect_reads_them(tmp_path, value, score):
    [one] = inspect_log.read(write_json(tmp_path, [sample(value=value)])).attempts
    assert one.score == score


@pytest.mark.parametrize(
    ("fields", "outcome"),
    [
        ({"error": {"message": "x"}}, "harness_error"),
        ({"stop": "max_tokens"}, "truncated"),
        ({"stop": "model_length"}, "truncated"),
        ({"scores": None}, "harness_error"),
        ({"value": float("nan")}, "harness_error"),
    ],
    ids=["error", "max_tokens", "model_length", "no score", "NaN"],
)
def test_what_is_no_evidence_is_missing_and_never_zero(tmp_path, fields, outcome):
    path = write_json(tmp_path, [sample(1), sample(2, **fields)])
    path.write_text(path.read_text().replace("NaN", "null"))
    one = inspect_log.read(path).attempts[1]
    assert (one.outcome, one.score) == (outcome, None)


def test_a_score_of_several_values_has_to_be_chosen(tmp_path):
    path = write_json(tmp_path, [sample(value={"a": 1, "b": 0})])
    with pytest.raises(FileError, match=r"choose one with --scorer: match\.a, match\.b"):
        inspect_log.read(path)
    assert inspect_log.read(path, "match.b").attempts[0].score == 0.0
    with pytest.raises(FileError, match="has no score by `other`; there are: match"):
        inspect_log.read(path, "other")


def test_two_questions_under_one_id_are_two_tasks(tmp_path):
    a = inspect_log.read(write_json(tmp_path, [sample(1)])).attempts[0]
    b = inspect_log.read(write_json(tmp_path, [sample(1, input="another question")])).attempts[0]
    assert a.task.id == b.task.id
    assert a.task.digest != b.task.digest


def test_messages_are_one_question_whatever_their_ids(tmp_path):
    digests = set()
    for id in ("x", "y"):
        one = sample(input=[{"id": id, "role": "user", "content": "question"}])
        digests.add(inspect_log.read(write_json(tmp_path, [one])).attempts[0].task.digest)
    assert len(digests) == 1


@pytest.mark.parametrize(
    ("break_it", "message"),
    [
        (lambda raw: raw[: len(raw) // 2], "no whole zip archive"),
        (lambda raw: b"PK\3\4" + raw[4:40], "no whole zip archive"),
        (lambda raw: b"not a log", "is no Inspect log"),
        (lambda raw: b"", "is no Inspect log"),
        (lambda raw: b'{"eval": 3}', "is no Inspect log"),
        (lambda raw: raw.replace(b"header.json", b"hxader.json"), "has no header.json"),
    ],
    ids=["cut", "only a start", "text", "empty", "wrong type", "no header"],
)
def test_what_is_no_log_is_told_in_a_sentence(tmp_path, break_it, message):
    path = write_eval(tmp_path, CASES)
    path.write_bytes(break_it(path.read_bytes()))
    with pytest.raises(FileError, match=message):
        inspect_log.read(path)


def test_a_changed_byte_inside_an_archive_is_found(tmp_path):
    path = write_eval(tmp_path, CASES, zipfile.ZIP_STORED)
    path.write_bytes(path.read_bytes().replace(b"question 2", b"question 3", 1))
    with pytest.raises(FileError, match="size and checksum"):
        inspect_log.read(path)


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path, monkeypatch):
    path = write_eval(tmp_path, [sample(1, input="0" * 3_000_000)])
    monkeypatch.setattr(inspect_log, "LARGEST", 1_000_000)
    with pytest.raises(FileError, match="unpacks to more than"):
        inspect_log.read(path)


def test_a_bomb_that_lies_about_its_size_is_cut(tmp_path):
    path = write_eval(tmp_path, [sample(1, input="0" * 300_000)])
    raw = bytearray(path.read_bytes())
    with zipfile.ZipFile(io.BytesIO(bytes(raw))) as archive:
        size = archive.getinfo("samples/1_epoch_1.json").file_size
    true, lie = size.to_bytes(4, "little"), (100).to_bytes(4, "little")
    path.write_bytes(bytes(raw).replace(true, lie))
    with pytest.raises(FileError, match="size and checksum"):
        inspect_log.read(path)


def test_names_in_an_archive_lead_nowhere(tmp_path):
    path = write_eval(tmp_path, CASES, more=[("../../evil.json", "{}"), ("/etc/evil", "x")])
    before = set(tmp_path.parent.rglob("*"))
    imported.write(inspect_log.read(path), tmp_path / "run")
    made = set(tmp_path.parent.rglob("*")) - before
    assert all(tmp_path / "run" in (one, *one.parents) for one in made)


def test_a_sample_that_stands_there_twice_is_refused(tmp_path):
    with pytest.raises(UserError, match="one sample twice"):
        inspect_log.read(write_json(tmp_path, [sample(1), sample(1)]))


def test_scores_outside_zero_and_one_are_refused(tmp_path):
    with pytest.raises(FileError, match=r"sample 1, epoch 1: has the score 7; only scores in \[0, 1\]"):
        inspect_log.read(write_json(tmp_path, [sample(value=7)]))


def test_an_imported_log_is_a_read_only_run_that_report_reads_and_no_board_takes(tmp_path, bench):
    path = write_eval(tmp_path, CASES)
    done = bench("import", "inspect", path, "--out", "run")
    assert done.returncode == 0, done.stderr
    assert "4 attempts at 2 tasks by provider/m[temperature=0.5]" in done.stdout
    assert bench("import", "inspect", path, "--out", "run").returncode == 2
    report = bench("report", "run")
    assert report.returncode == 0, report.stderr
    assert "1/3" in report.stdout
    refused = bench("leaderboard", "add", "run", "--by", "me")
    assert refused.returncode == 2
    assert "imported runs stay off the boards" in refused.stderr
    assert (tmp_path / "run" / "attempts.jsonl").stat().st_mode & 0o222 == 0
