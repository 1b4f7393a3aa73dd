"""The rules a submission can break before anything runs: it imports what the task allows, and nothing else."""

from __future__ import annotations

import ast
import sys
from collections.abc import Sequence

from benchwright import Submission, Violation

IMPORT = "import-not-allowed"


def check(submission: Submission, imports: Sequence[str]) -> list[Violation]:
    """Each import of a package outside the standard library and `imports`. What does not parse is left to its run."""
    own = {name.removesuffix(".py") for name in submission.files}
    allowed = {*imports, *own, *sys.stdlib_module_names}
    found = []
    for name, data in submission.files.items():
        try:
            tree = ast.parse(data)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        for node in ast.walk(tree):
            for package in _packages(node):
                if package not in allowed:
                    why = f"imports {package}; the task allows the standard library and {', '.join(imports) or 'nothing else'}"
                    found.append(Violation(IMPORT, f"{name}:{getattr(node, 'lineno', 1)}", why))
    return found


def _packages(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name.partition(".")[0] for alias in node.names]
    if isinstance(node, ast.ImportFrom) and not node.level and node.module:
        return [node.module.partition(".")[0]]
    return []
