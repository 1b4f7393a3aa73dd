"""A task's folder: what `task.yaml` says, what a model is sent, and what the digest covers.

```
tasks/<slug>/
  task.yaml          what the task is and what a submission may use
  prompt.md          the specification, its promises numbered
  starter/           the file as it is handed over; it runs, and solves nothing
  hidden_tests/      ordinary pytest files
  expected_ids.txt   every test id that has to pass
  reference/         a solution
  mutants/           wrong programs and what is expected of them, and how each of them fails
  skips/             right values without the mechanism
  drivers.py         code for the worker, where a test needs objects that cannot cross (optional)
```
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from benchwright import Limits, Message, Submission, Task, TaskSpec, digests, documents
from benchwright.errors import FileError, UserError
from msgspec import Meta

TASKS = Path(__file__).parent / "tasks"
BENCHMARK = "kernels"
SUITES = {"laptop": "kernels", "gpu": "kernels-gpu"}
CATEGORIES = ("numerics", "attention", "training", "decoding", "data", "tokenization", "kernels")

Text = Annotated[str, Meta(min_length=1)]
PackageName = Annotated[str, Meta(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]
Difficulty = Annotated[int, Meta(ge=1, le=5)]


class TaskFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`task.yaml`. Every key but `requires` has to be there; unknown ones are refused."""

    title: Text
    version: Annotated[str, Meta(pattern=r"^[1-9][0-9]*$")]
    """Raised with every change of what decides a verdict."""
    category: Literal["numerics", "attention", "training", "decoding", "data", "tokenization", "kernels"]
    difficulty: Difficulty
    """The author's guess, from 1 to 5; calibration is what counts."""
    probes: Text
    """What the task measures, in a sentence."""
    tier: Literal["laptop", "gpu"]
    family: Text
    """Tasks of one family count as one cluster."""
    file: Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]*\.py$")]
    """The one file of a submission."""
    imports: tuple[PackageName, ...]
    """Packages that a submission may import beside the standard library."""
    limits: Limits
    requires: tuple[Annotated[str, Meta(pattern=r"^(module|program|accelerator):[A-Za-z0-9_+.-]+$")], ...] = ()
    """What has to be installed beside `imports`."""


def slugs(tasks: Path = TASKS) -> list[str]:
    """The tasks there are, in order."""
    return sorted(path.parent.name for path in tasks.glob("*/task.yaml"))


def read(folder: Path) -> TaskFile:
    """`task.yaml` of a task's folder. Raises FileError with the line of what is wrong."""
    if not re.fullmatch(r"[a-z][a-z0-9_]*", folder.name):
        raise FileError(folder, "a task's folder is named in lower-case letters, digits and underscores")
    return documents.load(folder / "task.yaml", TaskFile)


def spec(folder: Path) -> TaskSpec:
    """What can be said of the task without loading it."""
    file = read(folder)
    modules = tuple(f"module:{name}" for name in file.imports)
    return TaskSpec(
        id=f"{BENCHMARK}/{folder.name}",
        title=file.title,
        suite=SUITES[file.tier],
        submission="python-file" if file.tier == "laptop" else "kernel",
        tier=file.tier,
        family=file.family,
        category=file.category,
        difficulty=str(file.difficulty),
        probes=file.probes,
        requires=tuple(dict.fromkeys((*modules, *file.requires))),
        file=file.file,
    )


def of(id: str, tasks: Path = TASKS) -> Path:
    """The folder of task `kernels/<slug>`. Raises UserError where there is none."""
    from benchwright.names import suggest

    slug = id.removeprefix(f"{BENCHMARK}/")
    if slug not in (known := slugs(tasks)):
        raise UserError(f"No task `{id}`.{suggest(slug, known)}")
    return tasks / slug


def load(folder: Path) -> Task:
    """The task as it is run: prompt without numbers and canary, the starter attached."""
    from scratch_kernels import promises

    file = read(folder)
    prompt = digests.strip_canary(text(folder / "prompt.md"))
    starter = files(folder / "starter")
    return Task(
        id=f"{BENCHMARK}/{folder.name}",
        version=file.version,
        digest=digests.task_digest(parts(folder)),
        messages=(Message("user", promises.stripped(prompt).strip() + "\n", attachments=starter),),
        limits=file.limits,
        imports=file.imports,
        starter=Submission("python-file", files=starter),
        reference=Submission("python-file", files=files(folder / "reference")),
        private={"folder": str(folder)},
    )


def parts(folder: Path) -> dict[str, bytes]:
    """Everything that decides a verdict, by path: what the digest covers."""
    file = read(folder)
    found = {"prompt.md": content(folder / "prompt.md"), "expected_ids.txt": content(folder / "expected_ids.txt")}
    for name in ("starter", "hidden_tests", "reference"):
        found.update({f"{name}/{path}": data for path, data in files(folder / name).items()})
    if (folder / "drivers.py").exists():
        found["drivers.py"] = content(folder / "drivers.py")
    found["limits"] = digests.canonical_json(file.limits)
    found["parameters"] = digests.canonical_json({"file": file.file, "imports": sorted(file.imports)})
    return found


def files(folder: Path) -> dict[str, bytes]:
    """Relative path -> content of every Python file in a folder. Raises FileError where there is none."""
    found = {
        path.relative_to(folder).as_posix(): content(path)
        for path in sorted(folder.rglob("*.py"))
        if "__pycache__" not in path.parts
    }
    if not found:
        raise FileError(folder, "holds no Python file")
    return found


def content(path: Path) -> bytes:
    """The bytes of a file. Raises FileError."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise FileError(path, f"cannot be read: {error.strerror or error}") from None


def text(path: Path) -> str:
    """A file as text. Raises FileError."""
    try:
        return content(path).decode()
    except UnicodeDecodeError as error:
        raise FileError(path, f"is not UTF-8 (byte {error.start})") from None


def layout_problems(folder: Path) -> list[str]:
    """What is amiss with the files of a task's folder, a sentence each."""
    file = read(folder)
    problems = []
    for name in ("starter", "reference"):
        if list(held := files(folder / name)) != [file.file]:
            problems.append(f"{name}/ holds {', '.join(held)} and not {file.file} alone")
    tests = files(folder / "hidden_tests")
    if not any(Path(name).name.startswith("test_") for name in tests):
        problems.append("hidden_tests/ holds no file test_*.py")
    problems += [f"{name} lies in hidden_tests/ and is a submission's file too" for name in tests if name == file.file]
    guarded: Mapping[str, bytes] = {
        **{name: data for name, data in parts(folder).items() if "/" in name or name.endswith((".md", ".py", ".txt"))},
        **{
            f"{part}/{path.name}": content(path)
            for part in ("mutants", "skips")
            for path in (folder / part).glob("*.*")
        },
        "task.yaml": content(folder / "task.yaml"),
    }
    problems += [
        f"{name} lacks the canary line"
        for name, data in sorted(guarded.items())
        if digests.CANARY.encode() not in data and not name.startswith("starter/")
    ]
    if file.file not in text(folder / "prompt.md"):
        problems.append(f"prompt.md does not name {file.file}")
    return problems
