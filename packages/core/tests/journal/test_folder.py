"""The run folder under bad luck: torn lines, full disks, read-only folders, two writers."""

import os
import resource
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from benchwright.errors import FileError, UserError
from benchwright.journal import RunFolder, read_attempts, read_manifest, turns
from benchwright.journal import attempts as lines
from benchwright.journal.folder import replace
from hypothesis import given
from hypothesis import strategies as st

GOLDEN = Path(__file__).parent.parent / "golden"
SIXTEEN = read_attempts(GOLDEN / "attempts.jsonl")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    begun = msgspec.structs.replace(read_manifest(GOLDEN / "run"), status="running", files={})
    RunFolder.create(tmp_path / "run", begun).close()
    return tmp_path / "run"


def test_lines_are_there_when_append_returns(folder: Path) -> None:
    with RunFolder.resume(folder) as run:
        run.append(SIXTEEN[:2])
        assert read_attempts(folder) == SIXTEEN[:2]
        run.append(SIXTEEN[2:3])
    assert read_attempts(folder) == SIXTEEN[:3]


@pytest.mark.parametrize("keep", [1, 50, 400, -1])
def test_a_last_line_cut_anywhere_costs_that_line_only(folder: Path, keep: int) -> None:
    whole = b"".join(map(lines.encode_line, SIXTEEN[:2]))
    torn = lines.encode_line(SIXTEEN[2])[:keep]
    (folder / "attempts.jsonl").write_bytes(whole + torn)
    with RunFolder.resume(folder) as run:
        finished = list(run.finished.values())
        run.append(SIXTEEN[3:4])
    if keep == -1:  # only the newline is missing: the attempt is whole
        assert read_attempts(folder) == SIXTEEN[:4]
    else:
        assert finished == list(SIXTEEN[:2])
        assert read_attempts(folder) == (*SIXTEEN[:2], SIXTEEN[3])
        assert (folder / "attempts.torn-1").read_bytes() == torn


def test_a_last_line_of_garbage_is_put_aside_with_its_newline(folder: Path) -> None:
    (folder / "attempts.jsonl").write_bytes(lines.encode_line(SIXTEEN[0]) + b"\0\0\0\xff{\n")
    with RunFolder.resume(folder) as run:
        assert list(run.finished.values()) == [SIXTEEN[0]]
        assert run.recovered.endswith("attempts.torn-1")
    assert (folder / "attempts.torn-1").read_bytes() == b"\0\0\0\xff{\n"


def test_a_damaged_line_in_the_middle_is_refused_with_its_place(folder: Path) -> None:
    (folder / "attempts.jsonl").write_bytes(lines.encode_line(SIXTEEN[0]) + b"{}\n" + lines.encode_line(SIXTEEN[1]))
    with pytest.raises(FileError, match=r"attempts.jsonl:2: is not an attempt: Object missing required field"):
        RunFolder.resume(folder)


def test_an_attempt_that_stands_there_twice_is_refused_with_both_places(folder: Path) -> None:
    (folder / "attempts.jsonl").write_bytes(lines.encode_line(SIXTEEN[0]) * 2)
    with pytest.raises(FileError, match=r"jsonl:2: the attempt \w+ stands here again \(first on line 1\)"):
        read_attempts(folder)


def test_a_folder_under_a_lock_is_refused_with_the_process_that_holds_it(folder: Path) -> None:
    with RunFolder.resume(folder), pytest.raises(UserError, match=f"process {os.getpid()}"):
        RunFolder.resume(folder)


def test_a_file_instead_of_a_folder_and_an_empty_folder_are_no_run_folders(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="is not a run folder: it has no manifest"):
        read_manifest(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match="cannot be read: Not a directory"):
        read_manifest(tmp_path / "file")


def test_a_full_disk_ends_in_one_sentence_and_leaves_whole_lines(folder: Path) -> None:
    code = f"""
import resource, signal, sys
from pathlib import Path
from benchwright.errors import UserError
from benchwright.journal import RunFolder, read_attempts
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
attempts = read_attempts(Path({str(GOLDEN / "attempts.jsonl")!r}))
run = RunFolder.resume(Path({str(folder)!r}))
run.append(attempts[:1])
size = Path({str(folder)!r}, "attempts.jsonl").stat().st_size
resource.setrlimit(resource.RLIMIT_FSIZE, (size + 100, size + 100))
try:
    run.append(attempts[1:2])
except UserError as error:
    print(error)
    sys.exit(error.exit_code)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stderr
    assert "no space left to write" in done.stdout
    assert "every finished attempt is kept" in done.stdout
    assert read_attempts(folder) == SIXTEEN[:1]
    assert (folder / "attempts.jsonl").read_bytes() == lines.encode_line(SIXTEEN[0])
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] == resource.RLIM_INFINITY


@given(name=st.text(max_size=40))
def test_no_name_that_is_called_safe_leaves_its_folder(name: str) -> None:
    if turns.safe_name(name):
        place = Path("/somewhere/below")
        assert Path(os.path.normpath(place / name)).is_relative_to(place)
        assert "\\" not in name


@pytest.mark.parametrize("name", ["../x", "/x", "a/../../x", "a//b", "", ".", "a/.", "C:x", "a\\b", "a\nb", "x" * 300])
def test_a_name_that_leaves_the_folder_or_cannot_be_a_file_is_refused(name: str, tmp_path: Path) -> None:
    assert not turns.safe_name(name)
    with pytest.raises(ValueError, match="no name for a file"):
        turns.Files(tmp_path).write(name, b"")


def test_a_file_is_replaced_in_one_step(tmp_path: Path) -> None:
    replace(tmp_path / "f", b"one")
    replace(tmp_path / "f", b"two", durable=True)
    assert (tmp_path / "f").read_bytes() == b"two"
    assert [entry.name for entry in tmp_path.iterdir()] == ["f"]


def test_a_manifest_is_read_back_as_it_was_written(folder: Path) -> None:
    manifest = read_manifest(folder)
    with RunFolder.resume(folder) as run:
        run.write_manifest(msgspec.structs.replace(manifest, notes={"note": "ü"}))
    assert read_manifest(folder).notes == {"note": "ü"}
