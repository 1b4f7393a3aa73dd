"""Every test here needs Triton; where it is not installed they skip and say so."""

from __future__ import annotations

import pytest
from scratch_kernels import simt
from scratch_kernels.simt import triton_process


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    try:
        triton_process.version()
    except simt.ToolchainError as error:
        for item in items:
            if "triton" in item.path.parts and not item.get_closest_marker("without_triton"):
                item.add_marker(pytest.mark.skip(reason=str(error)))


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "without_triton: needs no Triton")
