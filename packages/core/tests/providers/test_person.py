"""A person as a model: shown the prompt, asked for a file, timed."""

import asyncio
import io
import os
import signal
import subprocess
import sys
import time

import fault_table
import msgspec
import pytest
from benchwright.errors import ModelError, UserError
from benchwright.models import person
from benchwright.records import TaskSpec

FILE = TaskSpec("toy/file", "A file", "toy", submission="python-file", file="answer.py")


def answer(monkeypatch, tmp_path, spec, *lines):
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    question = msgspec.structs.replace(fault_table.ask(system="Be exact."), spec=spec, folder=tmp_path)
    return asyncio.run(person.Person("ada").reply(question))


def test_the_prompt_is_shown_and_the_file_is_taken_and_the_time_is_on_record(monkeypatch, tmp_path, capsys):
    (tmp_path / "mine.py").write_text("x = 1\n")
    reply = answer(monkeypatch, tmp_path, FILE, tmp_path / "absent.py", tmp_path / "mine.py")
    shown = capsys.readouterr()
    assert "What is 2 + 2?" in shown.err
    assert "absent.py: cannot be read" in shown.err
    assert shown.out == ""
    assert (tmp_path / "turn-01" / "prompt.md").read_text() == "Be exact.\n\nWhat is 2 + 2?\n"
    assert reply.submission.files == {"answer.py": b"x = 1\n"}
    assert reply.calls == 0
    assert reply.usage is None
    assert reply.events[0]["tools"] == "none of ours"
    assert reply.events[0]["seconds"] == reply.seconds


def test_a_text_is_read_as_any_reply_is(monkeypatch, tmp_path):
    (tmp_path / "reply.md").write_text('I say\n```json\n{"sum": 4}\n```\n')
    assert answer(monkeypatch, tmp_path, fault_table.SPEC, tmp_path / "reply.md").text.startswith("I say")


@pytest.mark.parametrize("lines", [["give up"], []])
def test_giving_up_is_no_submission(monkeypatch, tmp_path, lines):
    with pytest.raises(ModelError, match="gave up") as caught:
        answer(monkeypatch, tmp_path, FILE, *lines)
    assert caught.value.outcome == "no_submission"


def test_without_a_terminal_there_is_nobody_to_ask():
    code = "from benchwright.models import person\nperson.factory('', {}, {})"
    done = subprocess.run(
        [sys.executable, "-c", code], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    assert "bench score TASK FILE" in done.stderr
    assert person.factory("ada", {}, {"dry_run": True}).identity == "person:ada"


def test_at_a_terminal_there_is():
    parent, child = os.openpty()
    code = "from benchwright.models import person\nassert person.factory('', {}, {}).identity == 'person'"
    try:
        subprocess.run([sys.executable, "-c", code], stdin=child, check=True)
    finally:
        os.close(parent)
        os.close(child)


def test_ctrl_c_at_the_question_ends_at_once_and_the_run_goes_on_later(here):
    command = [sys.executable, "-m", "benchwright", "run", "--tasks", "sums/n1", "--model", "person:ada", "--no-mlflow"]
    parent, child = os.openpty()
    try:
        running = subprocess.Popen([*command, "--out", "run"], cwd=here, stdin=child, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, text=True)  # fmt: skip
        while not list((here / "run").glob("**/prompt.md")):
            assert running.poll() is None
            time.sleep(0.01)
        time.sleep(0.2)
        running.send_signal(signal.SIGINT)
        told, _ = running.communicate(timeout=300)  # nobody answers
        assert running.returncode == 130, told
        assert "1 attempt to go; the same command continues" in told
        (here / "mine.md").write_text('```json\n{"sum": 2}\n```\n')
        os.write(parent, b"mine.md\n")
        last = subprocess.run(
            [*command, "--out", "run"], cwd=here, stdin=child, capture_output=True, text=True, check=False
        )
        assert last.returncode == 0, last.stderr
        assert "1 solved" in last.stdout
    finally:
        os.close(parent)
        os.close(child)


def test_bytes_that_are_no_text_are_refused_in_a_sentence(tmp_path):
    (tmp_path / "x.md").write_bytes(b"\xff\xfe")
    with pytest.raises(UserError, match="not UTF-8"):
        person.take(fault_table.SPEC, tmp_path / "x.md", 1.0)


def test_an_empty_line_is_no_folder_and_the_question_is_put_again(monkeypatch, tmp_path, capsys):
    (tmp_path / "reply.md").write_text('```json\n{"sum": 4}\n```\n')
    assert answer(monkeypatch, tmp_path, fault_table.SPEC, "", tmp_path, tmp_path / "reply.md").text
    told = capsys.readouterr().err
    assert "> The line is empty: type the path of a file, or `give up`.\n> " in told
    assert f"{tmp_path}: cannot be read: it is a folder.\n" in told
    assert told.count("> ") == 3
