"""Ends, wanted and unwanted: nothing hangs, nothing is left, and what can go on goes on."""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest
from benchwright.records import Limits
from benchwright.sandbox import SandboxError, SubmissionError, open_sandbox, probe, walls
from benchwright.sandbox.folder import make_folder, remove
from benchwright.sandbox.interface import ResourceLimit, SubmissionTimeout, WorkerEnded
from benchwright.sandbox.sandbox import Sandbox

from .conftest import REFERENCE, TASK, grade

ECHO = b"import os, time\ndef f(x): return x\ndef pid(): return os.getpid()\ndef sleep(s): time.sleep(s)\n"
BURN = b"""
import signal
signal.signal(signal.SIGXCPU, lambda *_: None)
def f():
    while True:
        pass
"""


@pytest.fixture
def fresh() -> Iterator[Sandbox]:
    """A sandbox of the test's own, whose processes it may kill."""
    with open_sandbox() as sandbox:
        yield sandbox


def below(pid: int) -> list[psutil.Process]:
    """Live processes below one."""
    with contextlib.suppress(psutil.NoSuchProcess):
        return [p for p in psutil.Process(pid).children(recursive=True) if p.status() != psutil.STATUS_ZOMBIE]
    return []


def workers(sandbox: Sandbox) -> list[psutil.Process]:
    return [p for keeper in sandbox._keepers.values() for p in below(keeper.process.pid)]


def gone(pids: list[int], seconds: float = 10.0) -> list[int]:
    """Those of `pids` that are still there after waiting for them to go."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        left = [p for p in pids if psutil.pid_exists(p) and psutil.Process(p).status() != psutil.STATUS_ZOMBIE]
        if not left:
            return []
        time.sleep(0.02)
    return left


def test_a_worker_that_is_killed_is_an_ended_worker_and_the_next_box_works(fresh: Sandbox) -> None:
    with fresh.open({"m.py": ECHO}) as box:
        module = box.load("m.py")
        assert module.f(1) == 1
        (worker,) = workers(fresh)
        worker.kill()
        with pytest.raises(WorkerEnded, match="signal 9"):
            module.f(2)
        with pytest.raises(WorkerEnded):
            module.f(3)
    with fresh.open({"m.py": ECHO}) as box:
        assert box.load("m.py").f(4) == 4


@pytest.mark.parametrize("tier", [walls.NAMESPACES, walls.LANDLOCK, walls.BUBBLEWRAP])
def test_a_worker_that_ran_out_of_cpu_is_told_as_such_however_late_its_keeper_looks(tier: str) -> None:
    """On a busy machine the owner of a worker sees it go, and lets go of it, before the keeper has had its turn."""
    report = probe.run(tier)
    if not report.holds:
        pytest.skip(f"{tier} is not available here: {report.error}")
    limits = Limits(seconds=60.0, cpu_seconds=1.0)
    with (
        ThreadPoolExecutor(1) as pool,
        open_sandbox(tier=tier) as sandbox,
        sandbox.open({"m.py": BURN}, limits=limits) as box,
    ):
        called = pool.submit(box.load("m.py").f)
        (keeper,) = sandbox._keepers.values()
        time.sleep(0.5)
        os.kill(keeper.process.pid, signal.SIGSTOP)
        try:
            assert gone([p.pid for p in below(keeper.process.pid)], seconds=30.0) == []
            time.sleep(0.2)
        finally:
            os.kill(keeper.process.pid, signal.SIGCONT)
        with pytest.raises(SubmissionTimeout, match="CPU time"):
            called.result(30.0)


def test_a_keeper_that_is_killed_is_replaced_and_takes_its_workers_along(fresh: Sandbox) -> None:
    with fresh.open({"m.py": ECHO}) as box:
        module = box.load("m.py")
        pids = [p.pid for p in workers(fresh)]
        assert len(pids) == 1
        (keeper,) = fresh._keepers.values()
        os.kill(keeper.process.pid, signal.SIGKILL)
        with pytest.raises(WorkerEnded):
            module.sleep(5)
        assert gone(pids) == []
    with fresh.open({"m.py": ECHO}) as box:
        assert box.load("m.py").f(4) == 4


@pytest.mark.parametrize("which", ["_keepers", "_graders"])
def test_a_grading_whose_keeper_is_killed_is_done_again(fresh: Sandbox, which: str) -> None:
    assert grade(fresh, REFERENCE).outcome == "solved"
    (keeper,) = getattr(fresh, which).values()
    os.kill(keeper.process.pid, signal.SIGKILL)
    assert grade(fresh, REFERENCE).outcome == "solved"


def test_a_keeper_that_is_killed_in_the_middle_of_a_grading_does_not_hang_it(fresh: Sandbox) -> None:
    assert grade(fresh, REFERENCE).outcome == "solved"
    (keeper,) = fresh._keepers.values()
    slow = REFERENCE + b"\nimport time as _t\n_t.sleep(1)\n"
    killer = threading.Timer(0.4, lambda: os.kill(keeper.process.pid, signal.SIGKILL))
    killer.start()
    assert grade(fresh, slow).outcome == "solved"
    killer.join()


def test_a_keeper_that_is_stopped_does_not_hang_a_box(fresh: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    from benchwright.sandbox import launcher

    monkeypatch.setattr(launcher, "END", 0.5)
    with fresh.open({"m.py": ECHO}, limits=Limits(seconds=2)) as box:
        module = box.load("m.py")
        (keeper,) = fresh._keepers.values()
        os.kill(keeper.process.pid, signal.SIGSTOP)
        with pytest.raises(SubmissionTimeout):
            module.sleep(5)
    fresh.close()
    assert not psutil.pid_exists(keeper.process.pid)


def test_a_keeper_that_is_stopped_is_replaced_for_the_next_box(fresh: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    from benchwright.sandbox import launcher

    monkeypatch.setattr(launcher, "END", 0.5)
    with fresh.open({"m.py": ECHO}) as box:
        assert box.load("m.py").f(1) == 1
    (keeper,) = fresh._keepers.values()
    os.kill(keeper.process.pid, signal.SIGSTOP)
    monkeypatch.setattr(launcher, "START", 2.0)
    with fresh.open({"m.py": ECHO}) as box:
        monkeypatch.setattr(
            box, "replace", lambda: (monkeypatch.setattr(launcher, "START", 60.0), fresh._replace(()))[1]
        )
        assert box.load("m.py").f(2) == 2
    assert not psutil.pid_exists(keeper.process.pid)


def test_a_hang_ends_at_the_limit(fresh: Sandbox) -> None:
    with fresh.open({"m.py": ECHO}, limits=Limits(seconds=0.5)) as box:
        module = box.load("m.py")
        with pytest.raises(SubmissionTimeout) as told:
            module.sleep(60)
    assert told.value.evaluation().outcome == "timeout"
    assert workers(fresh) == []


def test_an_endless_row_of_quick_answers_ends_at_the_limit(fresh: Sandbox) -> None:
    source = b"def f():\n    while True:\n        yield 1\n"
    with fresh.open({"m.py": source}, limits=Limits(seconds=0.5)) as box, pytest.raises(SubmissionTimeout):
        for _ in box.load("m.py").f():
            pass


def test_past_the_disk_is_a_resource_limit(fresh: Sandbox) -> None:
    source = b"def f():\n    n = 0\n    while True:\n        open(f'{n}', 'wb').write(bytes(1 << 20))\n        n += 1\n"
    with (
        fresh.open({"m.py": source}, limits=Limits(file_mb=1)) as box,
        pytest.raises(ResourceLimit, match="wrote more"),
    ):
        box.load("m.py").f()


def test_closing_twice_and_after_an_error_is_fine(fresh: Sandbox) -> None:
    box = fresh.open({"m.py": b"1/0\n"})
    with pytest.raises(ZeroDivisionError), box:
        box.load("m.py")
    box.close()
    fresh.close()
    fresh.close()


def test_several_threads_grade_at_once(fresh: Sandbox) -> None:
    bad = REFERENCE.replace(b"x - total", b"x + total")
    with ThreadPoolExecutor(4) as pool:
        outcomes = list(pool.map(lambda s: grade(fresh, s).outcome, [REFERENCE, bad] * 4))
    assert outcomes == ["solved", "unsolved"] * 4


def test_many_gradings_leave_nothing_behind(fresh: Sandbox) -> None:
    grade(fresh, REFERENCE)
    before = standing(fresh)
    for n in range(12):
        grade(fresh, REFERENCE if n % 2 else b"import os\nos._exit(1)\n")
    after = standing(fresh)
    # Fewer where another test's were collected meanwhile.
    assert after["descriptors"] <= before["descriptors"]
    assert after["processes"] == before["processes"]
    assert after["files"] == before["files"] == 0


def standing(sandbox: Sandbox) -> dict[str, int]:
    """What a sandbox holds between gradings: descriptors here and in its keepers, processes, files of workers."""
    gc.collect()
    keepers = [k.process.pid for k in (*sandbox._keepers.values(), *sandbox._graders.values())]
    return {
        "descriptors": sum(psutil.Process(p).num_fds() for p in (os.getpid(), *keepers)),
        "processes": sum(len(below(p)) for p in keepers),
        "files": len(os.listdir(sandbox._work())),
        "memory": sum(psutil.Process(p).memory_info().rss for p in (os.getpid(), *keepers)),
    }


@pytest.mark.proof
def test_a_thousand_gradings_leave_nothing_behind(fresh: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "hidden_tests").mkdir()
    (tmp_path / "hidden_tests" / "test_a.py").write_text("from sub import f\ndef test_a(): assert f(1) == 1\n")
    (tmp_path / "expected_ids.txt").write_text("test_a.py::test_a\n")
    cases = [(b"def f(x): return x\n", "solved"), (b"import os\nos._exit(1)\n", "submission_error")]

    def one(n: int) -> None:
        source, outcome = cases[n % 10 == 0]
        assert fresh.run_tests(tmp_path, {"sub.py": source}).outcome == outcome

    for n in range(100):
        one(n)
    before = standing(fresh)
    for n in range(1000):
        one(n)
    after = standing(fresh)
    # Fewer where another test's were collected meanwhile.
    assert after["descriptors"] <= before["descriptors"]
    assert after["processes"] == before["processes"] == 0
    assert after["files"] == 0
    # Per grading less than a page: what grows is the allocator's, not ours.
    assert after["memory"] - before["memory"] < 4 << 20


PROGRAM = """
import sys, time
from pathlib import Path
from benchwright.sandbox import open_sandbox
sandbox = open_sandbox()
sys.stdout.write(sandbox._folder() + "\\n")
box = sandbox.open({"m.py": b"import time\\ndef f(s): time.sleep(s)\\n"})
module = box.load("m.py")
module.f(0)
pids = [k.process.pid for k in sandbox._keepers.values()]
sys.stdout.write(" ".join(map(str, pids)) + "\\n")
sys.stdout.flush()
try:
    module.f(60)
finally:
    box.close()
    sandbox.close()
"""


def run_program() -> tuple[subprocess.Popen[str], str, list[int]]:
    """A program in the middle of a call: its process, its folder, and the processes of its sandbox."""
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    folder = process.stdout.readline().strip()
    keepers = [int(p) for p in process.stdout.readline().split()]
    until = time.monotonic() + 10
    while not (found := [p.pid for k in keepers for p in below(k)]) and time.monotonic() < until:
        time.sleep(0.01)
    assert found
    return process, folder, [*keepers, *found]


def test_ctrl_c_leaves_no_process_and_no_folder() -> None:
    process, folder, pids = run_program()
    process.send_signal(signal.SIGINT)
    _, complaints = process.communicate(timeout=20)
    assert "KeyboardInterrupt" in complaints
    assert gone(pids) == []
    assert not os.path.exists(folder), complaints


def test_a_killed_bench_leaves_no_process() -> None:
    process, folder, pids = run_program()
    process.kill()
    process.wait(20)
    assert gone(pids) == []
    remove(folder)


def test_a_full_disk_ends_a_grading_and_hangs_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A file system of one megabyte for the folders of the workers."""
    small = tmp_path / "small"
    small.mkdir()
    if (
        os.geteuid() != 0
        or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "x", str(small)], check=False).returncode
    ):
        pytest.skip("only root can mount a small file system: a full disk is not tested")
    try:
        monkeypatch.setattr(tempfile, "tempdir", str(small))
        with open_sandbox() as sandbox:
            evaluation = grade(sandbox, REFERENCE)
            assert evaluation.outcome == "solved", evaluation.reason
            writes = REFERENCE + b"\nopen('big', 'wb').write(bytes(3 << 20))\n"
            assert grade(sandbox, writes).outcome == "resource_limit"
            assert grade(sandbox, REFERENCE).outcome == "solved"
            with pytest.raises(SandboxError, match="No space"):
                sandbox.run_tests(TASK, {"stable_softmax.py": REFERENCE, "data": bytes(2 << 20)}, imports=("numpy",))
            assert grade(sandbox, REFERENCE).outcome == "solved"
    finally:
        monkeypatch.undo()
        subprocess.run(["umount", "-l", str(small)], check=True)


def test_a_folder_of_any_depth_and_any_mode_is_removed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept").write_text("x")
    folder = make_folder(str(tmp_path), {"a/b.py": b""})
    os.symlink(outside, os.path.join(folder, "link"))
    shut = os.path.join(folder, "shut")
    os.mkdir(shut)
    Path(shut, "file").touch()
    os.chmod(shut, 0)
    here = os.open(folder, os.O_RDONLY)
    for _ in range(3000):
        os.mkdir("deep", dir_fd=here)
        down = os.open("deep", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = down
    os.close(here)
    remove(folder)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["outside"]
    assert (outside / "kept").read_text() == "x"
    remove(folder)


def test_the_errors_of_a_submission_say_what_it_did(fresh: Sandbox) -> None:
    source = textwrap.dedent("def f():\n    raise KeyError('which')\n").encode()
    with fresh.open({"m.py": source}) as box, pytest.raises(SubmissionError) as told:
        box.load("m.py").f()
    assert told.value.evaluation().reason == "KeyError: 'which'"
    assert 'File "' in told.value.traceback_text
