"""The working folder of the `tools` protocol, and commands."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest
from benchwright.errors import UserError
from benchwright.records import Limits
from benchwright.sandbox.sandbox import Sandbox

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="walls of commands are tested on Linux only")


def test_files_stay_between_passes_and_variables_do_not(sandbox: Sandbox) -> None:
    with sandbox.workspace({"data/in.txt": b"7"}, imports=("numpy",)) as workspace:
        first = workspace.python(
            "x = int(open('data/in.txt').read())\nopen('out.txt', 'w').write(str(x + 1))\nprint(x)"
        )
        assert (first.text, first.status, first.truncated) == ("7\n", "ok", False)
        second = workspace.python("print(open('out.txt').read())\nprint(x)")
        assert second.status == "error"
        assert second.text.startswith("8\nTraceback")
        assert 'File "<pass>", line 2' in second.text
        assert "NameError" in second.text
        assert "worker.py" not in second.text
        assert workspace.files() == {"data/in.txt": b"7", "out.txt": b"8"}
        folder = workspace.folder
    assert not os.path.exists(folder)


@pytest.mark.parametrize(
    ("code", "status", "text"),
    [
        ("import sys; sys.exit()", "ok", ""),
        ("import sys; sys.exit(0)", "ok", ""),
        ("import sys; sys.exit(3)", "error", ""),
        ("raise SystemExit('bye')", "error", "bye\n"),
        ("print('a'); import os; os._exit(4)", "error", "a\n\n[the process ended by itself with status 4]\n"),
        ("def f(:", "error", "SyntaxError"),
        ("if __name__ == '__main__': print('main')", "ok", "main\n"),
        ("input()", "error", "EOFError"),
        ("import scipy", "error", "ModuleNotFoundError"),
        ("print('\\ud800')", "ok", "\\ud800\n"),
    ],
)
def test_the_end_of_a_pass_is_told(sandbox: Sandbox, code: str, status: str, text: str) -> None:
    with sandbox.workspace({}) as workspace:
        output = workspace.python(code)
    assert output.status == status
    assert text in output.text


def test_a_pass_ends_at_its_time_and_the_next_goes_on(sandbox: Sandbox) -> None:
    with sandbox.workspace({}, limits=Limits(pass_seconds=0.7)) as workspace:
        output = workspace.python("print('before', flush=True)\nwhile True: pass")
        assert output.status == "timeout"
        assert output.text == "before\n\n[the process ran past its time limit]\n"
        assert workspace.python("print(1)").text == "1\n"


def test_output_is_cut_with_a_mark(sandbox: Sandbox) -> None:
    with sandbox.workspace({}, limits=Limits(output_kb=1)) as workspace:
        output = workspace.python("print('x' * 5000)")
    assert output.truncated
    assert output.text == "x" * 1024 + "\n[output cut after 1024 bytes]\n"


def test_a_pass_has_no_way_out(sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLANTED_KEY", "planted")
    (tmp_path / "secret").write_text("planted")
    code = f"""
import os, socket, subprocess
print(os.environ)
for attempt in (lambda: print(open({str(tmp_path / "secret")!r}).read()), lambda: subprocess.run(["true"]),
                lambda: open({str(tmp_path / "made")!r}, "w"), lambda: socket.socket()):
    try:
        attempt()
        print("WORKED")
    except OSError as error:
        print(type(error).__name__)
"""
    with sandbox.workspace({}) as workspace:
        output = workspace.python(code)
    assert output.status == "ok", output.text
    assert "WORKED" not in output.text
    assert "planted" not in output.text
    assert not (tmp_path / "made").exists()


@LINUX
@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler here")
def test_a_compiler_runs_and_cannot_read_what_it_is_not_given(sandbox: Sandbox, tmp_path: Path) -> None:
    work, secret = tmp_path / "work", tmp_path / "secret.h"
    work.mkdir()
    secret.write_text("planted\n")
    (work / "a.c").write_text('#include <stdio.h>\nint main(void) { puts("hello"); return 0; }\n')
    (work / "b.c").write_text(f'#include "{secret}"\nint main(void) {{ return 0; }}\n')
    (work / "c.c").write_text(f'__asm__(".incbin \\"{secret}\\"");\nint main(void) {{ return 0; }}\n')
    built = sandbox.run_command(["cc", "a.c", "-o", "a"], work)
    assert (built.status, built.code) == ("ok", 0), built.stderr
    ran = sandbox.run_command([str(work / "a")], work)
    assert ran.stdout == b"hello\n"
    for source in ("b.c", "c.c"):
        output = sandbox.run_command(["cc", source, "-o", "b"], work)
        assert output.status == "error"
        assert b"planted" not in output.stdout + output.stderr
    assert sandbox.run_command(["cc", "-E", "b.c"], work, read=[secret]).stdout.count(b"planted") == 1


@LINUX
def test_a_command_has_no_network_no_environment_and_leaves_no_process(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import psutil

    monkeypatch.setenv("PLANTED_KEY", "planted")
    script = "env; cat; (sleep 612 &) ; setsid sleep 612 & nohup sleep 612 & echo to-stderr >&2; echo done"
    output = sandbox.run_command(["sh", "-c", script], tmp_path, env={"GIVEN": "1"}, input=b"from stdin\n")
    assert b"GIVEN=1" in output.stdout
    assert b"from stdin\n" in output.stdout
    assert b"planted" not in output.stdout
    assert b"to-stderr\n" in output.stderr
    running = psutil.process_iter(["cmdline", "status"])
    assert [p.pid for p in running if "612" in (p.info["cmdline"] or ())] == []


@LINUX
@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash here")
@pytest.mark.parametrize("network", [False, True])
def test_a_command_reaches_the_network_only_where_it_may(sandbox: Sandbox, tmp_path: Path, network: bool) -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as server:
        script = f"exec 3<>/dev/tcp/127.0.0.1/{server.getsockname()[1]} && echo reached"
        output = sandbox.run_command(["bash", "-c", script], tmp_path, network=network)
    assert (output.stdout == b"reached\n") is network, output.stderr


@LINUX
def test_a_command_past_its_time_or_its_processes_is_ended(sandbox: Sandbox, tmp_path: Path) -> None:
    assert sandbox.run_command(["sleep", "60"], tmp_path, limits=Limits(seconds=0.5)).status == "timeout"
    script = "i=0; while [ $i -lt 60 ]; do sleep 613 & i=$((i+1)); done; wait"
    output = sandbox.run_command(["sh", "-c", script], tmp_path, limits=Limits(seconds=20, processes=8))
    assert output.status in ("error", "resource_limit")


@LINUX
def test_a_program_that_is_not_there_is_a_users_error(sandbox: Sandbox, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no program 'no-such-program'"):
        sandbox.run_command(["no-such-program"], tmp_path)


@pytest.mark.parametrize(
    "code",
    [
        "import sys; sys.stdout = None",
        "import sys; sys.stderr = 3; 1 / 0",
        "print(1)\ud800",
        "import gc\nfor w in gc.get_objects():\n"
        "    if type(w).__name__ == 'Worker': w.channel.send([1, 'script']); import os; os._exit(0)",
        "import gc\nfor w in gc.get_objects():\n"
        "    if type(w).__name__ == 'Worker': w.channel.send([1, 'error', 3]); import time; time.sleep(9)",
    ],
    ids=["no_output", "no_errors", "no_text", "half_an_answer", "an_error_that_is_none"],
)
def test_a_pass_that_takes_its_process_apart_is_a_pass_with_an_error(sandbox: Sandbox, code: str) -> None:
    with sandbox.workspace({}) as workspace:
        assert workspace.python(code).status == "error"
        assert workspace.python("print('next')").text == "next\n"


def test_files_with_names_that_are_no_text_are_left_where_they_are(sandbox: Sandbox) -> None:
    with sandbox.workspace({"a.txt": b"1"}) as workspace:
        workspace.python(
            "import os\nopen(b'\\xff', 'w').close()\nopen('a\\x1b', 'w').close()\nos.symlink('/etc', 'etc')"
        )
        assert workspace.files() == {"a.txt": b"1"}
