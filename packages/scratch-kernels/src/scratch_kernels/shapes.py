"""The text of `mutants/shapes.yaml`."""

from __future__ import annotations

from collections.abc import Mapping

from benchwright import digests

from scratch_kernels.mutants import Shapes


def written(shapes: Shapes) -> str:
    """The record of how mutants and skips fail, one test id a line."""
    lines = [f"# {digests.CANARY}", "# Written by `bench kernels shapes`.", f'digest: "{shapes.digest}"']
    return "\n".join([*lines, *_table("mutants", shapes.mutants), *_table("skips", shapes.skips)]) + "\n"


def _table(name: str, table: Mapping[str, tuple[str, ...]]) -> list[str]:
    lines = [f"{name}:" if table else f"{name}: {{}}"]
    for key, failed in table.items():
        lines.append(f"  {key}:" if failed else f"  {key}: []")
        lines += [f'    - "{id}"' for id in failed]
    return lines
