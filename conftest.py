"""Which slow proofs run: a seeded third of those marked `proof` where BENCHWRIGHT_PROOF_SEED is set, all otherwise."""

from __future__ import annotations

import hashlib
import os

import pytest
from hypothesis import settings

# No test judges by a clock: a loaded machine is no defect.
settings.register_profile("benchwright", deadline=None)
settings.load_profile("benchwright")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselects two thirds of the proofs, chosen by the seed; the same seed chooses the same ones everywhere."""
    seed = os.environ.get("BENCHWRIGHT_PROOF_SEED")
    if not seed:
        return

    def chosen(item: pytest.Item) -> bool:
        digest = hashlib.sha256(f"{seed}:{item.nodeid}".encode()).digest()
        return item.get_closest_marker("proof") is None or digest[0] % 3 == 0

    kept = [item for item in items if chosen(item)]
    left = [item for item in items if not chosen(item)]
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = kept
