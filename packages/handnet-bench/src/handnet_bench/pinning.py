"""`sets.yaml`, derived from the tasks as they are."""

from __future__ import annotations

from benchwright.digests import CANARY

from handnet_bench import loading, tasks


def sets_yaml() -> str:
    """The text of `sets.yaml`: each task in the set it starts from, with version and digest."""
    lines = [f"# {CANARY}", "# Written by `bench handnet pin`; a test compares the two.", "sets:"]
    for name in ("warmup", "unvalidated"):
        lines.append(f"  {name}:")
        for task in tasks.TASKS:
            if task.first_set == name:
                pin = f'id: handnet/{task.slug}, version: "{task.version}", digest: "{loading.digest(task)}"'
                lines.append(f"    - {{{pin}}}")
    return "\n".join(lines) + "\n"
