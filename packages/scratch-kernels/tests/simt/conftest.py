"""Every test here needs a compiler; where none is installed they skip and say so."""

from __future__ import annotations

import pytest
from scratch_kernels import simt
from scratch_kernels.simt import toolchain


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    try:
        toolchain.find()
    except simt.ToolchainError as error:
        for item in items:
            if "simt" in item.path.parts:
                item.add_marker(pytest.mark.skip(reason=str(error)))
