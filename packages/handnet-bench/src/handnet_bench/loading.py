"""A task as the engine gets it: prompt, starter, reference, and a digest over whatever decides the verdict."""

from __future__ import annotations

from functools import lru_cache
from importlib import resources
from pathlib import Path

from benchwright import Message, Submission, Task, digests

from handnet_bench import datasets, snippets, tasks
from handnet_bench.rules.source import FILE

RULES_VERSION = "5"
"""Goes into every task's digest: a submission judged by other rules is another measurement."""


def load(task: tasks.HandnetTask, folder: Path) -> Task:
    """The task; `folder` is where fetched data lies."""
    prompt = _text("prompts/common.md") + "\n" + _text(f"prompts/{task.slug}.md")
    reference = Submission(kind="python-file", files={FILE: reference_file(task.slug)})
    starter = Submission(kind="python-file", files={FILE: (_text("starter.py") % task.accepts[0]).encode()})
    return Task(
        id=f"handnet/{task.slug}",
        version=task.version,
        digest=digest(task),
        messages=(Message("user", digests.strip_canary(prompt).strip() + "\n"),),
        system=tasks.SYSTEM,
        limits=task.limits,
        imports=("numpy",),
        starter=starter,
        reference=reference,
        private={"data": str(folder)},
    )


def reference_file(slug: str) -> bytes:
    """The source of the reference network of a task."""
    name = "sentiment" if slug == "sst2" else slug
    return (resources.files("handnet_bench") / "networks" / f"{name}.py").read_bytes()


@lru_cache(maxsize=16)
def digest(task: tasks.HandnetTask) -> str:
    """The task's digest; needs no fetched data, for a set is named by the identity it must have."""
    content = {
        "prompt/common.md": _text("prompts/common.md").encode(),
        "prompt/task.md": _text(f"prompts/{task.slug}.md").encode(),
        "prompt/revise.md": _text("prompts/revise.md").encode(),
        "system": tasks.SYSTEM.encode(),
        "starter.py": (_text("starter.py") % task.accepts[0]).encode(),
        "reference.py": reference_file(task.slug),
        "limits": digests.canonical_json(task.limits),
        "parameters": digests.canonical_json(
            {"bar": task.bar, "budget": tasks.BUDGET, "floor": task.floor, "free": task.free, "rules": RULES_VERSION}
        ),
    }
    content.update({f"data/{name}": identity.encode() for name, identity in _data(task.slug).items()})
    return digests.task_digest(content)


def _data(slug: str) -> dict[str, str]:
    if slug == "sst2":
        # Its labels are checked when it is read; the sentences are known by this file.
        marks = (resources.files("handnet_bench") / "data" / "sst2" / "sentence-hashes.txt").read_bytes()
        return {"sst2-test-official-1821": digests.sha256(marks)}
    if slug == "sentiment":
        return {"movie-snippets-vader14-test": snippets.DIGESTS["test"]}
    split = datasets.load(slug, "test", Path())
    return {split.id: split.sha256}


def _text(name: str) -> str:
    return (resources.files("handnet_bench") / name).read_text(encoding="utf-8")
