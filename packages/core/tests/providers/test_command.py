"""A program as a model: what it is given, what it may see, and how it ends."""

import asyncio
import os
import sys
import time
from pathlib import Path

import fault_table
import msgspec
import pytest
from benchwright.errors import ModelError, UserError
from benchwright.models import command
from benchwright.records import Message, TaskSpec
from benchwright.sandbox import NoWalls, probe, walls

FILE = TaskSpec("toy/file", "A file", "toy", submission="python-file", file="answer.py")
FILES = TaskSpec("toy/files", "Files", "toy", submission="files")


def walled() -> bool:
    try:
        return probe.choose() in (walls.NAMESPACES, walls.LANDLOCK)
    except NoWalls:
        return False


needs_walls = pytest.mark.skipif(not walled(), reason="no namespaces or Landlock on this machine, so no walls to test")


@pytest.fixture
def agent(tmp_path):
    """Makes a shell script with the given body, and the model that runs it."""
    home = tmp_path / "agent"
    home.mkdir()

    def make(body: str, argument: str = "", **options):
        script = home / "agent.sh"
        script.write_text(f"#!/bin/sh\n{body}\n")
        script.chmod(0o755)
        return command.factory(f"{script} {argument}".strip(), {}, {"call_seconds": 20.0, **options})

    return make


def reply(model, question=None):
    return asyncio.run(model.reply(question or fault_table.ask()))


@needs_walls
class TestInsideTheWalls:
    def test_the_prompt_comes_in_and_what_is_printed_is_the_reply(self, agent):
        assert reply(agent("cat")).text == "What is 2 + 2?\n"

    def test_a_conversation_is_given_with_its_turns_marked(self, agent):
        messages = (Message("user", "a"), Message("assistant", "b"), Message("user", "c"))
        question = msgspec.structs.replace(fault_table.ask(system="Be exact."), messages=messages)
        assert reply(agent("cat"), question).text == "Be exact.\n\n[user]\na\n\n[assistant]\nb\n\n[user]\nc\n"

    def test_it_starts_in_an_empty_folder_that_is_gone_afterwards(self, agent):
        first = reply(agent("ls -A; pwd; touch left"))
        folder = Path(first.text.strip())
        assert not folder.exists()
        assert reply(agent("ls -A")).text == ""

    def test_a_file_that_it_leaves_is_the_submission(self, agent):
        question = msgspec.structs.replace(fault_table.ask(), spec=FILE)
        assert reply(agent("echo 'x = 1' > answer.py; echo chatter"), question).submission.files == {
            "answer.py": b"x = 1\n"
        }
        question = msgspec.structs.replace(fault_table.ask(), spec=FILES)
        body = "mkdir -p submission/lib; echo 1 > submission/a.py; echo 2 > submission/lib/b.py; echo 3 > scratch.py"
        assert reply(agent(body), question).submission.files == {"a.py": b"1\n", "lib/b.py": b"2\n"}
        assert reply(agent("echo '{\"sum\": 4}' > answer.json; echo chatter")).text == '{"sum": 4}\n'

    def test_a_link_out_of_its_folder_is_no_submission(self, agent):
        question = msgspec.structs.replace(fault_table.ask(), spec=FILE)
        assert reply(agent("ln -s /etc/passwd answer.py"), question).submission is None

    def test_it_sees_nothing_of_our_environment(self, agent, monkeypatch):
        monkeypatch.setenv("ANTHROPIC_API_KEY", fault_table.KEY)
        monkeypatch.setenv("SOME_TOKEN", "secret-of-mine")
        seen = reply(agent("env; cat /proc/$PPID/environ 2>/dev/null; cat /proc/1/environ 2>/dev/null; true")).text
        assert "PATH=" in seen
        assert "secret-of-mine" not in seen
        assert fault_table.KEY not in seen

    def test_installed_benchmarks_and_run_folders_are_out_of_its_sight(self, agent, tmp_path):
        run = tmp_path / "agent" / "runs" / "20261201-000000-abcd"
        attempt = run / "toy" / "sum" / "draw-01"
        attempt.mkdir(parents=True)
        (run / "manifest.json").write_text("{}")
        (run / "attempts.jsonl").write_text("the answers of others")
        (tmp_path / "agent" / "notes.txt").write_text("its own notes")
        (tmp_path / "elsewhere.txt").write_text("not its own")
        package = Path(command.__file__).parents[1] / "records.py"
        question = msgspec.structs.replace(fault_table.ask(), folder=attempt)
        home = tmp_path / "agent"
        body = "\n".join(
            f"cat {path} || echo hidden" for path in (package, run / "attempts.jsonl", tmp_path / "elsewhere.txt")
        )
        assert reply(agent(f"{body}\ncat {home}/notes.txt"), question).text == "hidden\nhidden\nhidden\nits own notes"

    def test_a_run_that_is_written_beside_the_program_takes_nothing_but_runs_out_of_its_sight(self, agent, tmp_path):
        home = tmp_path / "agent"
        for name in ("my-run", "another-run"):
            (home / name / "toy" / "sum" / "draw-01").mkdir(parents=True)
            (home / name / "manifest.json").write_text("{}")
        question = msgspec.structs.replace(fault_table.ask(), folder=home / "my-run" / "toy" / "sum" / "draw-01")
        (home / "notes.txt").write_text("its own notes")
        body = f"cat {home}/my-run/manifest.json {home}/another-run/manifest.json || echo hidden; cat {home}/notes.txt"
        assert reply(agent(body), question).text == "hidden\nits own notes"

    def test_it_writes_nowhere_but_in_its_folder(self, agent, tmp_path):
        reply(agent(f"touch {tmp_path}/agent/written /tmp/benchwright-written-by-a-command; true"))
        assert not (tmp_path / "agent" / "written").exists()
        assert not Path("/tmp/benchwright-written-by-a-command").exists()

    def test_the_network_is_there_only_where_it_was_asked_for(self, agent, server):
        script = f"import socket; socket.create_connection(('127.0.0.1', {server.port}), 3); print('connected')"
        run = f'{os.path.realpath(sys.executable)} -I -S -c "{script}" 2>/dev/null || echo refused'
        home = os.path.realpath(sys.executable)
        closed = agent(run, home)
        assert reply(closed).text == "refused\n"
        assert closed.settings["network"] is False
        opened = agent(run, home, network=True)
        assert reply(opened).text == "connected\n"
        assert opened.settings["network"] is True
        assert opened.identity.endswith("[network=true]")
        assert (closed.paid, opened.paid) == (False, True)

    def test_what_it_started_ends_with_it(self, agent, tmp_path):
        mark = f"benchwright-left-{os.getpid()}-{time.time_ns()}"
        reply(
            agent(
                f"sh -c 'exec sleep 600 # {mark}' >/dev/null 2>&1 & sh -c 'sleep 601; echo {mark}' >/dev/null 2>&1 & echo done"
            )
        )
        time.sleep(0.2)
        running = [p.read_bytes() for p in Path("/proc").glob("[0-9]*/cmdline") if p.exists()]
        assert not [line for line in running if mark.encode() in line]

    def test_ends_other_than_a_reply_are_told_apart(self, agent):
        with pytest.raises(ModelError, match="status 3: no luck"):
            reply(agent("echo no luck >&2; exit 3"))
        with pytest.raises(ModelError, match=r"no reply within 0\.3 s"):
            reply(agent("sleep 30", call_seconds=0.3))
        with pytest.raises(ModelError, match="more than 8,000,000 bytes"):
            reply(agent("head -c 9000000 /dev/zero"))

    def test_a_program_that_reads_nothing_is_fed_all_the_same(self, agent):
        question = msgspec.structs.replace(fault_table.ask(), messages=(Message("user", "x" * 1_000_000),))
        assert reply(agent("echo hello"), question).text == "hello\n"

    def test_what_it_said_and_which_walls_stood_is_on_record(self, agent):
        [event] = reply(agent("echo thinking >&2; echo 4")).events
        assert event["stderr"] == "thinking\n"
        assert event["walls"] == probe.choose()
        assert event["network"] is False


def test_without_walls_only_where_that_was_asked_for(agent):
    answered = reply(agent("cat", unsafe=True))
    assert answered.text == "What is 2 + 2?\n"
    assert answered.events[0]["walls"] == "unsafe"


def test_a_file_that_is_there_and_may_not_be_run_is_told_with_the_way_to_mend_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my agent.sh").write_text("#!/bin/sh\n")
    with pytest.raises(
        UserError, match=r"the file `\./my agent\.sh` may not be run as a program: chmod \+x '\./my agent\.sh'"
    ):
        command.factory("'./my agent.sh'", {}, {})


def test_an_environment_that_the_program_may_not_read_is_left_out_of_its_path(tmp_path, monkeypatch):
    for name in ("mine", "other"):
        (tmp_path / name / "bin").mkdir(parents=True)
        (tmp_path / name / "pyvenv.cfg").write_text("home = /usr/bin\n")
    (tmp_path / "tools" / "bin").mkdir(parents=True)
    parts = [str(tmp_path / name / "bin") for name in ("mine", "other", "tools")]
    monkeypatch.setenv("PATH", os.pathsep.join(parts))
    assert command.environment("/tmp", [str(tmp_path / "mine")])["PATH"].split(os.pathsep) == [parts[0], parts[2]]
    assert command.environment("/tmp")["PATH"].split(os.pathsep) == parts


def test_of_what_a_python_says_as_it_gives_up_the_line_that_tells_most_is_kept():
    said = "Python path configuration:\nFatal Python error: no module named 'encodings'\n\nCurrent thread:\n  <no Python frame>\n"
    assert command._last_words(said) == "Fatal Python error: no module named 'encodings'"
    assert command._last_words(" \n") == "it said nothing"


@pytest.mark.parametrize(
    ("argument", "why"),
    [
        ("", "names no program"),
        ("no-such-program-here -x", "no program `no-such-program-here`"),
        ("sh 'open", "No closing quotation"),
    ],
)
def test_what_cannot_be_run_is_one_sentence(argument, why):
    with pytest.raises(UserError, match=why):
        command.factory(argument, {}, {})


def test_a_folder_is_covered_but_for_what_is_left_out(tmp_path):
    for name in ("a/x", "a/y/z", "b"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "a" / "link").symlink_to(tmp_path / "a" / "y")
    root = str(tmp_path)
    assert command.without(root, [f"{root}/a/y/z"]) == [f"{root}/a/x", f"{root}/b"]
    assert command.without(root, [f"{root}/nowhere/else"]) == [f"{root}/b", f"{root}/a"] or command.without(
        root, []
    ) == [root]
    assert command.without(root, [root]) == []


def test_a_program_or_a_file_of_its_arguments_that_changed_is_another_setting(agent, tmp_path):
    words = tmp_path / "words.txt"
    words.write_text("a")
    was = agent("cat", str(words)).settings["files"]
    assert set(was) == {"agent.sh", "words.txt"}
    words.write_text("b")
    other = agent("cat", str(words)).settings["files"]
    assert (other["agent.sh"], other["words.txt"] != was["words.txt"]) == (was["agent.sh"], True)
    assert agent("cat -", str(words)).settings["files"]["agent.sh"] != was["agent.sh"]
