"""What a worker may read: the interpreter and the named packages; never where tests, references and labels lie."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from benchwright.errors import UserError
from benchwright.sandbox import SubmissionError, open_sandbox, reading, source
from benchwright.sandbox.reading import coarse, package_folders
from benchwright.sandbox.sandbox import Sandbox

LOOK = b"""
import json
import os
import subprocess

def can_read(path):
    try:
        if os.path.isdir(path):
            return bool(os.listdir(path)) or True
        with open(path, "rb") as file:
            file.read(1)
        return True
    except OSError:
        return False

def find(names, tops):
    found = []
    for top in tops:
        for folder, _, files in os.walk(top):
            found += [os.path.join(folder, f) for f in files if f in names and can_read(os.path.join(folder, f))]
    return found

def load(name):
    import importlib
    return sorted(vars(importlib.import_module(name)))[:3]

def resources(name):
    import importlib.resources
    return [str(p) for p in importlib.resources.files(name).iterdir()]

def version(name):
    import importlib.metadata
    return importlib.metadata.version(name)
"""


def test_no_folder_of_packages_is_allowed_whole_or_from_above() -> None:
    for imports in ((), ("numpy",)):
        for path in reading.reading(imports).paths:
            for folder in package_folders():
                assert not (folder + "/").startswith(path.rstrip("/") + "/"), f"{path} opens {folder}"


def test_the_named_packages_and_what_they_need_are_allowed() -> None:
    paths = reading.reading(("numpy",)).paths
    assert any(path.endswith("/numpy") for path in paths)
    names = [os.path.basename(path) for path in paths]
    assert "scipy" not in names
    assert "pytest" not in names
    if "scipy" in sys.modules or reading.importable("scipy"):
        assert {"scipy", "numpy"} <= set(reading.reading(("scipy",)).modules)


def test_a_benchmark_cannot_be_named_as_a_package() -> None:
    with pytest.raises(UserError, match="benchwright"):
        reading.reading(("benchwright",))


def test_a_package_that_is_missing_is_named() -> None:
    with pytest.raises(reading.MissingPackage, match="nowhere_to_be_found"):
        reading.reading(("nowhere_to_be_found",))


def test_the_coarse_list_covers_the_fine_one_and_not_the_work() -> None:
    fine = ["/usr/lib/a", "/usr/lib/b", "/tmp/venv/lib/x", "/etc/c"]
    found = coarse(fine, "/tmp/work")
    assert all(any(p.startswith(f.rstrip("/") + "/") or p == f for f in found) for p in fine)
    assert not any("/tmp/work/".startswith(f.rstrip("/") + "/") for f in found)
    assert coarse(["/tmp/only"], "/tmp/work") == ("/tmp/only",)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A benchmark installed as from a wheel, and one installed as editable; both with hidden tests and labels."""
    site, checkout = tmp_path_factory.mktemp("site"), tmp_path_factory.mktemp("checkout")
    for name, home in (("wheelbench", site), ("editbench", checkout / "src")):
        package = home / name
        (package / "tasks" / "hidden_tests").mkdir(parents=True)
        (package / "__init__.py").write_text("LABELS = [1, 2, 3]\n")
        (package / "tasks" / "hidden_tests" / "hidden_oracle_of_a_benchmark.py").write_text("ANSWER = 42\n")
        (package / "labels_of_a_benchmark.csv").write_text("7\n")
        info = site / f"{name}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[benchwright.plugins]\n{name} = {name}\n")
        (info / "RECORD").write_text(f"{name}/__init__.py,,\n" if home is site else "editbench.pth,,\n")
    (site / "editbench.pth").write_text(f"{checkout / 'src'}\n")
    return {"site": site, "checkout": checkout}


def test_installed_benchmarks_are_out_of_reach_from_wheels_and_editable(
    installed: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(installed["checkout"] / "src"))
    monkeypatch.syspath_prepend(str(installed["site"]))
    for cached in (
        reading.package_folders,
        reading.interpreter,
        reading.closure,
        reading.reading,
        reading._by_import_name,
    ):
        cached.cache_clear()
    try:
        with open_sandbox() as sandbox, sandbox.open({"look.py": LOOK}, imports=("numpy",)) as box:
            look = box.load("look.py")
            names = [
                "hidden_oracle_of_a_benchmark.py",
                "labels_of_a_benchmark.csv",
                "expected_ids.txt",
                "registry.yaml",
            ]
            tops = [*map(str, installed.values()), "/tmp", str(Path(__file__).parents[4]), *sys.path]
            assert look.find(names, tops) == []
            for name in ("wheelbench", "editbench"):
                with pytest.raises(ImportError):
                    look.load(name)
                with pytest.raises((ImportError, SubmissionError)):
                    look.resources(name)
                with pytest.raises(SubmissionError):
                    look.version(name)
            for folder in (*installed.values(), Path.home(), Path(__file__).parent):
                assert look.can_read(str(folder)) is False
            # The control: it does find what it may read.
            assert look.find(["__init__.py"], [str(Path(os.__file__).parent / "json")]) != []
            assert look.load("numpy.linalg") != []
    finally:
        for cached in (
            reading.package_folders,
            reading.interpreter,
            reading.closure,
            reading.reading,
            reading._by_import_name,
        ):
            cached.cache_clear()


def test_a_benchmark_named_as_import_is_refused(installed: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(installed["site"]))
    with pytest.raises(UserError, match="wheelbench"):
        reading.closure(("wheelbench",))


def test_refused_packages_are_told_with_what_is_allowed(sandbox: Sandbox) -> None:
    with sandbox.open({"look.py": LOOK}, imports=("numpy",)) as box:
        look = box.load("look.py")
        with pytest.raises(ModuleNotFoundError, match=r"'scipy'.*standard library and numpy"):
            look.load("scipy")
        with pytest.raises(ModuleNotFoundError):
            look.load("msgspec")
        with pytest.raises(ModuleNotFoundError):
            look.load("benchwright.sandbox.worker")
        assert look.load("sqlite3") != []


def test_without_imports_not_even_numpy_is_there(sandbox: Sandbox) -> None:
    with sandbox.open({"look.py": LOOK}) as box, pytest.raises(ModuleNotFoundError, match="no package"):
        box.load("look.py").load("numpy")


def test_byte_code_and_compiled_modules_beside_a_source_are_not_run(sandbox: Sandbox) -> None:
    import importlib.util
    import marshal

    evil = compile("def f(): return 'from byte code'", "m.py", "exec")
    head = importlib.util.MAGIC_NUMBER + (0b1).to_bytes(4, "little") + bytes(8)
    tag = f"m.{sys.implementation.cache_tag}.pyc"
    files = {
        "m.py": b"def f(): return 'from source'\nimport n\n",
        f"__pycache__/{tag}": head + marshal.dumps(evil),
        "n.pyc": head + marshal.dumps(evil),
    }
    with sandbox.open(files) as box, pytest.raises(ModuleNotFoundError, match="'n'"):
        box.load("m.py")
    with sandbox.open({**files, "n.py": b""}) as box:
        assert box.load("m.py").f() == "from source"


@pytest.mark.parametrize(
    "data",
    [
        b"x = 1\r\ny = 2\r",
        b"\xef\xbb\xbfx = '\xc3\xa9'\n",
        "# coding: latin-1\nx = 'é'\n".encode("latin-1"),
        b"#!/usr/bin/python\n# -*- coding: utf-7 -*-\nx = '+AOk-'\n",
    ],
    ids=["newlines", "bom", "latin", "utf7"],
)
def test_the_text_that_is_shown_is_the_one_that_is_compiled(data: bytes) -> None:
    shown: dict[str, object] = {}
    run: dict[str, object] = {}
    exec(compile(source.decoded(data), "m.py", "exec"), shown)
    exec(compile(data, "m.py", "exec"), run)
    assert shown["x"] == run["x"]
    assert "\r" not in source.decoded(data)


def test_an_encoding_is_named_and_a_wrong_one_is_a_syntax_error() -> None:
    assert source.encoding(b"x = 1\n") == "utf-8"
    assert source.encoding(b"# coding: utf-7\nx = 1\n") == "utf-7"
    for data in (b"x = '\xff'\n", b"# coding: no-such-encoding\n"):
        with pytest.raises(SyntaxError):
            source.decoded(data)


def test_a_source_is_decoded_as_python_decodes_it(sandbox: Sandbox) -> None:
    latin = "# -*- coding: latin-1 -*-\ndef f(): return 'é'\n".encode("latin-1")
    bom = b"\xef\xbb\xbfdef f(): return 1\n"
    with sandbox.open({"latin.py": latin, "bom.py": bom, "bad.py": b"def f(): return '\xff'\n"}) as box:
        assert box.load("latin.py").f() == "é"
        assert box.load("bom.py").f() == 1
        with pytest.raises(SyntaxError):
            box.load("bad.py")


WHEELS = ("scratch-kernels", "handnet-bench", "weightspace")
LOOKS = """
import json, sys
from pathlib import Path
from benchwright.sandbox import SubmissionError, open_sandbox
site, checkout = sys.argv[1:3]
there = {p.name for p in Path(site).rglob("hidden_tests/*.py")} | {"expected_ids.txt", "sets.yaml"}
with open_sandbox() as sandbox, sandbox.open({"look.py": Path(sys.argv[3]).read_bytes()}, imports=("numpy",)) as box:
    look = box.load("look.py")
    found = look.find(sorted(there), [site, checkout, *sys.path])
    loaded = []
    for name in ("scratch_kernels", "handnet_bench", "weightspace"):
        for attempt in (look.load, look.resources):
            try:
                attempt(name)
                loaded.append(name)
            except SubmissionError:
                pass
print(json.dumps([sorted(there), found, loaded]))
"""


@pytest.mark.proof
def test_the_benchmarks_themselves_are_out_of_reach_when_installed_from_wheels(tmp_path: Path) -> None:
    root = Path(__file__).parents[4]
    packages = [root / "packages" / name for name in WHEELS]
    if not all((package / "pyproject.toml").exists() for package in packages):
        pytest.skip("the benchmarks' sources are not here")
    site = tmp_path / "site"
    options = ["--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--target", str(site)]
    built = subprocess.run(
        [sys.executable, "-m", "pip", "install", *options, *map(str, packages)],
        capture_output=True,
        text=True,
        check=False,
    )
    if built.returncode:
        pytest.skip(f"wheels cannot be built here: {built.stderr.strip()[-200:]}")
    (tmp_path / "look.py").write_bytes(LOOK)
    done = subprocess.run(
        [sys.executable, "-c", LOOKS, str(site), str(root), str(tmp_path / "look.py")],
        env={**os.environ, "PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        check=True,
    )
    there, found, loaded = json.loads(done.stdout)
    assert len(there) > 5
    assert found == []
    assert loaded == []
