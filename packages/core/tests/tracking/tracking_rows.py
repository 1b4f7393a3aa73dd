"""A small board to project."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "leaderboard"))
import board_files as b
from benchwright import registry
from benchwright.leaderboard.everything import collect
from benchwright.tracking import board
from benchwright.tracking.writing import Entry

MODELS = (("p/strong", 7, 0.02), ("p/weak", 3, 0.001), ("reference", 8, None))


def write_board(root: Path, models=MODELS, suites=("kernels", "weightspace"), by="somebody") -> Path:
    """A leaderboard: `(model, solved tasks of 8, dollars an attempt or None)`, two draws at each task."""
    for path in root.glob("attempts/*"):
        path.unlink()
    attempts = [
        b.attempt(
            f"t{task}", model, draw, "solved" if task < skill else "unsolved", suite=suite, answered="",
            usage=b.tokens() if cost else None, cost=cost,
        )
        for suite in suites
        for model, skill, cost in models
        for task in range(8)
        for draw in (1, 2)
    ]  # fmt: skip
    b.write(root, attempts, by=by)
    return root


def board_row() -> Entry:
    """The first row of a board, as it is written."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        found = collect(write_board(Path(folder)), registry.load()).boards[0]
    row = next(row for row in found.rows if row.rank is not None)
    return board.row_entry(found, row, "001-001")
