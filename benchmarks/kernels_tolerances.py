"""How much of each tolerance the references use, and which tolerance a reference in float32 misses.

Runs the hidden tests of each kernels task in a plain pytest beside the trusted reference, with numpy's comparisons
replaced by ones that measure first. A share of 0.1 says that the worst comparison used a tenth of what it may.

    python benchmarks/kernels_tolerances.py [task …]
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path


class Local:
    """Stands in for the `submission` fixture where nothing has to be walled in."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def batch(self, function, arguments):
        return [function(*given) for given in arguments]

    def drive(self, name, **inputs):
        module: dict[str, object] = {}
        exec(compile((self.folder / "drivers.py").read_text(), "drivers.py", "exec"), module)
        return module[name](**inputs)


class Measure:
    """A pytest plugin: the worst share of a tolerance or bound, and where."""

    def __init__(self, folder: Path, out: Path) -> None:
        import numpy
        import pytest

        self.out, self.worst, self.where, self.count = out, 0.0, "", 0
        self.local = Local(folder)
        self.test = ""
        np = numpy

        def close(got, want, rtol=1e-7, atol=0.0, **_):
            got, want = np.asarray(got, dtype=float), np.asarray(want, dtype=float)
            with np.errstate(invalid="ignore"):
                miss = np.where(got == want, 0.0, np.abs(got - want)) / (atol + rtol * np.abs(want))
            self.see(float(np.nanmax(miss, initial=0.0)))
            assert got.shape == want.shape or want.shape == ()
            assert (np.isnan(got) == np.isnan(want)).all()

        def less(got, bound, **_):
            self.see(float(np.max(np.asarray(got, dtype=float) / bound)))

        np.testing.assert_allclose, np.testing.assert_array_less = close, less
        self.pytest = pytest

    def see(self, share: float) -> None:
        self.count += 1
        if share > self.worst:
            self.worst, self.where = share, self.test

    def pytest_runtest_setup(self, item):
        self.test = item.name

    def pytest_generate_tests(self, metafunc):
        if "submission" in metafunc.fixturenames:
            metafunc.parametrize("submission", [self.local], ids=[""])

    def pytest_sessionfinish(self):
        self.out.write_text(json.dumps({"worst": self.worst, "where": self.where, "count": self.count}))


def run(folder: str, program: str, out: str) -> int:
    """In a process of its own: the hidden tests beside the program in `program`."""
    import pytest

    sys.path.insert(0, program)
    options = ["-q", "--import-mode=importlib", "-p", "no:cacheprovider", "-c", os.devnull, f"--rootdir={folder}"]
    return int(pytest.main([*options, f"{folder}/hidden_tests"], plugins=[Measure(Path(folder), Path(out))]))


def measured(folder: Path, files: dict[str, bytes]) -> dict[str, object]:
    """The worst share of a tolerance that a program uses, from a process of its own."""
    with tempfile.TemporaryDirectory() as place:
        for name, data in files.items():
            Path(place, name).write_bytes(data)
        out = Path(place, "measure.json")
        environment = {
            **os.environ,
            "OMP_NUM_THREADS": "1",
            "PYTHONHASHSEED": "0",
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        command = [sys.executable, __file__, "--run", str(folder), place, str(out)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if not out.exists():
            raise SystemExit(done.stdout + done.stderr)
        return json.loads(out.read_text())


def main(names: list[str]) -> None:
    from scratch_kernels import folder as folders
    from scratch_kernels import mutants

    print("task                              comparisons  reference  of tolerance, in                       in float32")
    laptop = [slug for slug in folders.slugs() if folders.read(folders.TASKS / slug).tier == "laptop"]
    for slug in names or laptop:
        folder = folders.TASKS / slug
        reference = measured(folder, folders.files(folder / "reference"))
        narrow = [mutant for mutant in mutants.mutants(folder) if mutant.name.startswith("float32")]
        worse = measured(folder, mutants.program(folder, narrow[0]))["worst"] if narrow else None
        shown = f"{worse:10.3g}" if worse is not None else "         -"
        print(f"{slug:34}{reference['count']:11}  {reference['worst']:9.2e}  {str(reference['where'])[:38]:38}{shown}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--run"]:
        sys.exit(run(*sys.argv[2:5]))
    main(sys.argv[1:])
