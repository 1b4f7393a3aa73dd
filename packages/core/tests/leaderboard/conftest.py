"""Puts what these tests share on the import path."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture
def known():
    """The registry that comes with the package."""
    from benchwright import registry

    return registry.load(Path(registry.__file__).with_name("registry.yaml"))
