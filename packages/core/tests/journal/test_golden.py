"""What was written once is read for ever: the golden files pin ids, digests, lines and folders."""

import hashlib
from pathlib import Path

import pytest
from benchwright import digests, names
from benchwright.errors import FileError
from benchwright.journal import attempts as lines
from benchwright.journal import read_attempts, read_manifest, submissions, turns, verify
from benchwright.outcomes import OUTCOMES

GOLDEN = Path(__file__).parent.parent / "golden"


def test_a_line_of_every_outcome_is_read() -> None:
    assert [attempt.outcome for attempt in read_attempts(GOLDEN / "attempts.jsonl")] == list(OUTCOMES)


def test_a_line_is_written_as_it_was_read() -> None:
    content = (GOLDEN / "attempts.jsonl").read_bytes()
    assert b"".join(map(lines.encode_line, read_attempts(GOLDEN / "attempts.jsonl"))) == content


def test_a_reader_of_an_older_schema_refuses_the_lines_in_one_sentence() -> None:
    line = (GOLDEN / "attempts.jsonl").read_bytes().splitlines()[0]
    with pytest.raises(FileError, match=r"^here:1: has schema 1, and this bench reads up to 0; upgrade benchwright"):
        lines.refuse_newer(line, "here:1", newest=0)


@pytest.mark.parametrize("name", ["attempts.jsonl", "manifest.json"])
def test_a_newer_schema_is_refused_in_one_sentence_wherever_it_stands(name: str, tmp_path: Path) -> None:
    for source in ("attempts.jsonl", "manifest.json"):
        content = (GOLDEN / "run" / source).read_bytes()
        if source == name:
            content = content.replace(b'"schema":1', b'"schema":9').replace(b'"schema": 1', b'"schema": 9')
            content = content.replace(b'"outcome":', b'"ending":').replace(b'"plan_digest":', b'"plan":')
        (tmp_path / source).write_bytes(content)
    with pytest.raises(FileError, match="has schema 9, and this bench reads up to 1; upgrade benchwright"):
        read_manifest(tmp_path), read_attempts(tmp_path)


def test_the_golden_run_is_whole_and_its_ids_come_from_what_it_says() -> None:
    run = GOLDEN / "run"
    manifest = read_manifest(run)
    assert verify(run) == []
    assert manifest.plan.digest == manifest.plan_digest
    for attempt in read_attempts(run):
        pin = manifest.tasks[attempt.task.id]
        expected = names.attempt_id(manifest.plan_digest, pin.digest, attempt.model.name, attempt.draw)
        assert attempt.attempt == expected


def test_turns_and_submissions_of_the_golden_run_are_read_back() -> None:
    folder = turns.attempt_folder(GOLDEN / "run", "trials/revise", "scripted/one", 1)
    assert folder.is_dir()
    found = turns.read_turn(folder, 1)
    assert found is not None
    record, reply = found
    assert (record.answered, reply.text) == ("one", '```json\n{"value": 3}\n```')
    assert reply.events == ({"type": "reply", "text": reply.text},)
    submission = submissions.read_submission(folder / "submission", "json")
    assert submission is not None
    assert submission.answer == {"value": 7}


def test_a_byte_that_changed_anywhere_is_found(tmp_path: Path) -> None:
    import shutil

    for path in sorted(entry for entry in (GOLDEN / "run").rglob("*") if entry.is_file()):
        if path.name == "manifest.json":
            continue
        copy = tmp_path / path.relative_to(GOLDEN / "run").as_posix().replace("/", "_")
        shutil.copytree(GOLDEN / "run", copy)
        target = copy / path.relative_to(GOLDEN / "run")
        content = bytearray(target.read_bytes())
        at = content.index(b"0") if b"0" in content else len(content) - 1
        content[at] = ord("1")
        target.write_bytes(bytes(content))
        try:
            assert verify(copy), path
        except FileError:
            assert path.name == "attempts.jsonl"


def test_the_digest_of_a_task_folder_is_pinned() -> None:
    folder = GOLDEN / "task"
    parts = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*.*") if path.is_file()}
    assert all(digests.CANARY_ID.encode() in content for content in parts.values())
    assert digests.task_digest(parts) == "bw1:33f450b251fc9acf0aa327f1a087ffd95b63a4768cb8843a89c1ec4a75d51167"
    independent = "".join(f"{name}\0{hashlib.sha256(parts[name]).hexdigest()}\n" for name in sorted(parts))
    assert digests.task_digest(parts) == "bw1:" + hashlib.sha256(independent.encode()).hexdigest()
    windows = {name: content.replace(b"\n", b"\r\n") for name, content in parts.items()}
    assert digests.task_digest(windows) == digests.task_digest(parts)
