"""Our pytest plugin in the grader: it hands the submission to the tests, and collects what happened by id."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from benchwright.sandbox.box import Box
from benchwright.sandbox.interface import SubmissionError
from benchwright.sandbox.verdict import Seen

DRIVERS = "drivers.py"
RENEWALS = 5
"""Workers that die in tests and are replaced; after that the rest of the tests fails with the last."""


class Submission:
    """What the `submission` fixture gives: the box, with the task's drivers at hand."""

    def __init__(self, box: Box, drivers: str) -> None:
        self.box = box
        self.drivers = drivers
        self.SubmissionError = SubmissionError

    def load(self, file: str) -> Any:
        """A proxy of the module in `file`."""
        return self.box.load(file)

    def batch(self, function: Any, arguments: Any) -> list[Any]:
        """`[function(*a) for a in arguments]` in one round trip."""
        return self.box.batch(function, arguments)

    def drive(self, function: str, /, **inputs: Any) -> Any:
        """Calls a function of the task's `drivers.py` in a fresh worker and gives its plain value."""
        return self.box.drive(self.drivers, function, **inputs)


class Offered(MetaPathFinder, Loader):
    """Finds the modules of the submission, as proxies."""

    def __init__(self, plugin: Plugin) -> None:
        self.plugin = plugin

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if path is not None or f"{fullname}.py" not in self.plugin.box.files:
            return None
        return ModuleSpec(fullname, self, origin=f"{fullname}.py")

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module: ModuleType = self.plugin.load(f"{spec.name}.py")
        return module

    def exec_module(self, module: ModuleType) -> None:
        """It ran in the worker."""


class Plugin:
    """One grading. `seen` is filled as pytest runs."""

    def __init__(self, box: Box, folder: Path) -> None:
        self.box = box
        self.tests = folder / "hidden_tests"
        drivers = folder / DRIVERS
        self.submission = Submission(box, drivers.read_text(encoding="utf-8") if drivers.exists() else "")
        self.seen = Seen()
        self.renewals = 0

    def offer(self) -> None:
        """Makes `import name` in a test give the proxy of the submission's `name.py`.

        Last in the row: a name that means something else here, such as `numpy` or `oracle`, keeps its
        meaning, and a submission replaces nothing in the grader.
        """
        sys.meta_path.append(Offered(self))

    def load(self, file: str) -> Any:
        """The proxy of a module that a test imports."""
        self.seen.touched = True
        try:
            return self.box.load(file)
        except SubmissionError as error:
            told = f"{error.type_name}: {error}" if error.type_name else str(error)
            self.seen.collection.append(f"{file} cannot be imported: {told}"[:500])
            raise

    @pytest.fixture(scope="session", name="submission")
    def submission_fixture(self) -> Submission:
        """The submission: `load`, `batch`, `drive`, `SubmissionError`."""
        return self.submission

    # Hooks.

    def pytest_configure(self, config: pytest.Config) -> None:
        config.addinivalue_line("markers", "inputs_unchanged: whoever writes into what it is handed fails")

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.seen.collection.append(_last_line(str(report.longrepr)))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        if not self.box.alive() and self.renewals < RENEWALS:
            self.renewals += 1
            self.box.renew()
        self.box.keep_inputs(item.get_closest_marker("inputs_unchanged") is not None)
        return (yield)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[Any]) -> pytest.TestReport:
        """A report with one line: pytest's own tracebacks cost more than the tests."""
        outcome: Any = "passed"
        when: Any = call.when
        told: Any = None
        if call.excinfo is not None:
            skipped = isinstance(call.excinfo.value, pytest.skip.Exception)
            outcome = "skipped" if skipped else "failed"
            told = (str(item.path), item.location[1] or 0, "was skipped") if skipped else self._told(call.excinfo)
        return pytest.TestReport(
            item.nodeid, item.location, {}, outcome, told, when, duration=call.duration, start=call.start
        )

    def _told(self, excinfo: pytest.ExceptionInfo[BaseException]) -> str:
        """What was raised, and the line of the test where it was."""
        error = excinfo.value
        name = getattr(error, "type_name", "") or type(error).__name__
        message = str(error).strip().splitlines()
        lines = [e.lineno + 1 for e in excinfo.traceback if str(e.path).startswith(str(self.tests))]
        place = f" (line {lines[-1]})" if lines else ""
        return (f"{name}{place}: {message[0]}" if message else f"{name}{place}")[:300]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        results = self.seen.results
        if report.when == "setup":
            results.setdefault(report.nodeid, [])
            if report.outcome != "passed":
                results[report.nodeid].append(_result(report))
        elif report.when == "call":
            results[report.nodeid].append(_result(report))
        elif report.outcome != "passed":
            results[report.nodeid][-1] = _result(report)


def _result(report: pytest.TestReport) -> list[str]:
    if report.outcome == "passed" and hasattr(report, "wasxfail"):
        return ["xpassed", "passed where a failure was expected"]
    if report.outcome == "passed":
        return ["passed", ""]
    if report.outcome == "skipped":
        return ["skipped", "was skipped"]
    return ["failed", str(report.longrepr)]


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    told = [line[1:].strip() for line in lines if line.startswith("E ")]
    return (told or lines or ["no message"])[-1][:500]
