"""A benchmark of code: hidden tests, a reference, a starter and a rule."""

import ast
from pathlib import Path

from benchwright import Limits, Submission, Task, TaskSpec, Violation, hookimpl

API = 1
FOLDER = Path(__file__).parent / "median"
PROMPT = """\
Write `median.py` with a function `median(numbers)`: the median of a list of numbers, for an even count the mean of the
two in the middle. It leaves the list as it is and raises ValueError where it is empty. Do not import `statistics`.
"""


def solution(name):
    return Submission("python-file", files={"median.py": (FOLDER / name / "median.py").read_bytes()})


@hookimpl
def list_tasks():
    return [
        TaskSpec(
            id="medians/median",
            title="The median of a list",
            suite="medians",
            submission="python-file",
            file="median.py",
        )
    ]


@hookimpl
def load_task(ctx):
    return Task.single(
        ctx.id,
        version="1",
        prompt=PROMPT,
        private={},
        limits=Limits(seconds=30, cpu_seconds=10, memory_mb=256),
        starter=solution("starter"),
        reference=solution("reference"),
        # Whatever decides the verdict: when one of these files changes, so does the task's digest.
        parts={
            path.relative_to(FOLDER).as_posix(): path.read_bytes()
            for path in FOLDER.rglob("*")
            if path.suffix in (".py", ".txt")
        },
    )


@hookimpl
def check_rules(ctx):
    from benchwright.sandbox import source

    # What Python cannot parse ends in `submission_error`.
    tree = source.parsed(ctx.submission.files["median.py"], "median.py")
    return [
        Violation("no-statistics", f"median.py:{node.lineno}", "imports statistics")
        for node in ast.walk(tree)
        if (isinstance(node, ast.Import) and any(name.name == "statistics" for name in node.names))
        or (isinstance(node, ast.ImportFrom) and node.module == "statistics")
    ]


@hookimpl
def evaluate(ctx):
    return ctx.sandbox.run_tests(FOLDER, ctx.submission.files, limits=ctx.limits)
