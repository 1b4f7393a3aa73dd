"""The walls: what each probe tries works without them and is stopped behind them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from benchwright.errors import BenchError
from benchwright.sandbox import NoWalls, doctor, open_sandbox, probe, seatbelt, seccomp, syscalls, walls

LINUX = sys.platform == "linux"


@pytest.mark.parametrize("tier", walls.TIERS)
def test_a_tier_stops_every_probe_or_says_why_it_is_not_there(tier: str) -> None:
    report = probe.run(tier)
    if report.error:
        pytest.skip(f"{tier} is not available here: {report.error}")
    assert [row.probe for row in report.rows if not row.stopped] == []
    assert len(report.rows) >= 12


@pytest.mark.skipif(not LINUX, reason="the probes of the system itself are Linux's")
def test_without_walls_the_probes_get_through() -> None:
    rows = probe.run(walls.UNSAFE).rows
    through = {row.probe for row in rows if not row.stopped}
    # Limits hold without walls too.
    assert {row.probe for row in rows} - through == {"more memory than its limit", "a larger file than its limit"}


def test_doctor_tells_each_probe_and_the_tier() -> None:
    rows = doctor()
    assert rows[-1].what == "isolation"
    assert rows[-1].state in walls.TIERS
    assert all(row.ok for row in rows)
    walls_told = {row.what.removeprefix("walls: ") for row in rows if row.what.startswith("walls: ")}
    assert walls_told == {"reading", "writing", "network", "processes", "memory", "files"}
    assert sum(row.state.count(",") + 1 for row in rows if row.what.startswith("walls: ")) >= 12


def test_a_tier_is_asked_for_by_name_or_by_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    with open_sandbox(tier="a moat") as sandbox, pytest.raises(NoWalls, match="a moat"):
        _ = sandbox.tier
    monkeypatch.setenv("BENCHWRIGHT_TIER", walls.LANDLOCK if LINUX else walls.SEATBELT)
    with open_sandbox() as sandbox:
        assert sandbox.tier in (walls.LANDLOCK, walls.SEATBELT)


def test_without_any_tier_nothing_runs_and_the_reasons_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probe, "run", lambda tier: probe.Report(tier, error=f"no {tier} today"))
    with open_sandbox() as sandbox, pytest.raises(NoWalls, match=r"--unsafe") as told:
        sandbox.open({"m.py": b""})
    assert all(tier in str(told.value) for tier in walls.TIERS)
    assert isinstance(told.value, BenchError)
    assert told.value.exit_code == 2


def test_a_probe_that_gets_through_rules_a_tier_out(monkeypatch: pytest.MonkeyPatch) -> None:
    real = probe.run

    def leaky(tier: str) -> probe.Report:
        if tier != walls.NAMESPACES:
            return real(tier)
        return probe.Report(tier, (probe.Row("reading", "a file of the user's", False, "worked"),))

    monkeypatch.setattr(probe, "run", leaky)
    with open_sandbox() as sandbox:
        assert sandbox.tier != walls.NAMESPACES


def test_unsafe_is_told_as_such_and_needs_no_wall(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probe, "run", lambda tier: probe.Report(tier, error="none"))
    with open_sandbox(unsafe=True) as sandbox:
        assert sandbox.tier == "unsafe"
        with sandbox.open({"m.py": b"def f(): return 1\n"}) as box:
            assert box.load("m.py").f() == 1


def test_opening_a_sandbox_starts_and_probes_nothing() -> None:
    with open_sandbox() as sandbox:
        assert not sandbox.used
        assert sandbox._root is None
        assert sandbox._tier is None


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_the_filter_of_each_machine_jumps_within_itself_and_ends_in_a_return(
    machine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(syscalls, "machine", lambda: machine)
    seccomp._head.cache_clear()
    try:
        for processes in (False, True):
            packed = seccomp.program(processes=processes, pid=4)
            program = [packed[i : i + 8] for i in range(0, len(packed), 8)]
            assert len(program) < 4096
            for at, instruction in enumerate(program):
                code, yes, no = int.from_bytes(instruction[:2], "little"), instruction[2], instruction[3]
                if code in (0x15, 0x35, 0x45):
                    assert at + 1 + max(yes, no) < len(program)
            assert int.from_bytes(program[-1][:2], "little") == 0x06
    finally:
        seccomp._head.cache_clear()


def test_the_two_tables_differ_and_know_the_calls_that_matter() -> None:
    x86, arm = syscalls.TABLES["x86_64"], syscalls.TABLES["aarch64"]
    legacy = {"fork", "vfork", "chmod", "chown", "lchown", "utime", "utimes", "futimesat", "mknod", "iopl", "ioperm"}
    legacy |= {"modify_ldt", "uselib", "inotify_init"}
    assert set(x86) - set(arm) == legacy
    assert x86["socket"] != arm["socket"]
    assert set(seccomp.ALWAYS_DENIED) <= set(x86)


@pytest.mark.skipif(not LINUX, reason="the kernel's headers are Linux's")
def test_the_numbers_are_those_of_the_kernels_headers() -> None:
    """Through the C compiler's view of this machine, where there is one."""
    source = "".join(f"#ifdef SYS_{name}\n{name} SYS_{name}\n#endif\n" for name in syscalls.TABLES[syscalls.machine()])
    try:
        done = subprocess.run(
            ["cc", "-E", "-P", "-"], input="#include <sys/syscall.h>\n" + source.replace(" SYS_", "\t SYS_"),
            capture_output=True, text=True, check=True,
        )  # fmt: skip
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("no C compiler with the kernel's headers here")
    found = [line.split() for line in done.stdout.splitlines() if len(line.split()) == 2]
    told = {name: int(number) for name, number in found if number.isdigit()}
    assert len(told) > 60
    assert told == {name: syscalls.TABLES[syscalls.machine()][name] for name in told}


def test_the_profile_of_seatbelt_denies_by_default_and_names_what_it_allows(tmp_path: Path) -> None:
    text = seatbelt.profile("/usr/bin/python3", [str(tmp_path)], ["/usr/lib/python3", __file__])
    assert text.startswith("(version 1)\n(deny default)\n")
    assert "(deny process-fork)" in text
    assert "network" not in text
    assert f'(allow file-read* file-write* (subpath "{tmp_path.resolve()}"))' in text
    assert f'(literal "{Path(__file__).resolve()}")' in text
    quoted = seatbelt.profile("/x", [], ['/a"b\\c'])
    assert '"/a\\"b\\\\c"' in quoted
    assert text.count("(") == text.count(")")
