"""Whether a file is an answer to the task that it was handed in for, as far as its text shows; lint and verdict say the same."""

from __future__ import annotations

import ast
import symtable
from collections.abc import Sequence

from handnet_bench.rules import source

NAMES = ("TASK", "WEIGHTS", "predict")


def read(data: bytes) -> source.Source:
    """The source in `data`. Raises source.Unreadable, whose message is a sentence, for what is none."""
    try:
        return source.read(data)
    except source.Unreadable:
        at = data.find(b"\0") if len(data) <= source.LARGEST else -1
        if at < 0:
            raise
        line = data.count(b"\n", 0, at) + 1
        raise source.Unreadable(f"The file is no Python source: it holds a NUL byte (line {line}).") from None


def other_task(read: source.Source, accepts: Sequence[str]) -> str:
    """That the file is written for a task that is none of `accepts`; empty where it is not, or only running it tells."""
    said = [
        node.value.value
        for node in read.tree.body
        if isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Constant)
        and any(isinstance(target, ast.Name) and target.id == "TASK" for target in node.targets)
    ]
    bound = [node for node in ast.walk(read.tree) if isinstance(node, ast.Name) and node.id == "TASK"]
    elsewhere = sum(not isinstance(node.ctx, ast.Load) for node in bound) != len(said)
    if not said or elsewhere or _hidden(read.tree) or said[-1] in accepts:
        return ""
    return wrong_task(said[-1], accepts)


def wrong_task(said: object, accepts: Sequence[str]) -> str:
    """The sentence about a file whose TASK is `said`."""
    return f"TASK is {said!r}; it has to be {accepts[0]!r}."


def absent(read: source.Source) -> str:
    """Which of the three names the file does not define; empty where it defines them, or only running it tells."""
    if _hidden(read.tree):
        return ""
    names = {
        each.get_name()
        for each in symtable.symtable(read.text, source.FILE, "exec").get_symbols()
        if each.is_assigned() or each.is_imported()
    }
    lacking = [name for name in NAMES if name not in names]
    return f"The file defines no {' and no '.join(lacking)}." if lacking else ""


def _hidden(tree: ast.Module) -> bool:
    """Whether names may be bound that the top level of the text does not show: by a star import, or from within a function."""
    return any(
        (isinstance(node, ast.ImportFrom) and node.names[0].name == "*")
        or (isinstance(node, ast.Global) and not set(NAMES).isdisjoint(node.names))
        for node in ast.walk(tree)
    )
