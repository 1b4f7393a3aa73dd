"""`bench plugins` and `bench doctor`: what is installed, and what this machine can do."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import click

from benchwright.cli.options import json_option, registry_option


@click.command()
@json_option
@registry_option
def plugins(as_json: bool, registry_path: Path | None) -> int:
    """Show the installed benchmarks, and what is wrong with broken ones."""
    from benchwright import plugins as discovery
    from benchwright import registry
    from benchwright.cli.output import Output, aligned, plural

    output = Output(as_json)
    found = discovery.load()
    known = registry.load(registry_path)
    rows: list[dict[str, Any]] = []
    counts = Counter(spec.id.partition("/")[0] for spec in found.specs())
    for name, benchmark in sorted(found.benchmarks.items()):
        status = benchmark.status or plural(counts[name], "task")
        if not benchmark.status and not found.has(name, "list_tasks"):
            status = "no tasks"
        if name not in known.benchmarks and found.has(name, "list_tasks"):
            status += ", unregistered: it runs, and stays off the boards"
        rows.append(
            {"name": name, "distribution": benchmark.distribution, "version": benchmark.version, "status": status}
        )
    problems = known.problems(found)
    output.give({"plugins": rows, "broken": found.broken, "problems": problems})
    if not as_json:
        if rows:
            output.say(aligned(("plugin", "distribution", "version", "status"), [list(row.values()) for row in rows]))
        for broken in found.broken:
            output.say(f"broken: `{broken.name}` ({broken.distribution}): {broken.why}")
        for problem in problems:
            output.say(problem)
    return 0


@click.command()
@json_option
@registry_option
def doctor(as_json: bool, registry_path: Path | None) -> int:
    """Check this machine: walls, versions, what is missing and how to add it."""
    from benchwright.cli.output import Output
    from benchwright.engine.checkup import checkup

    output = Output(as_json)
    rows = checkup(registry_path)
    output.give(rows)
    if not as_json:
        width = max(len(row.what) for row in rows)
        for row in rows:
            output.say(f"{row.what:<{width}}  {row.state}" + (f"  → {row.remedy}" if row.remedy else ""))
    return 0
