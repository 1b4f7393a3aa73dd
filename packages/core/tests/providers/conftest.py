import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import fault_table
from fault_server import FaultServer


@pytest.fixture
def server():
    with FaultServer() as running:
        yield running


@pytest.fixture(autouse=True)
def only_the_test_key(monkeypatch):
    for variable in ("ANTHROPIC_BASE_URL", "OPENAI_BASE_URL", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.delenv(variable, raising=False)
    for variable in fault_table.VARIABLES.values():
        monkeypatch.setenv(variable, fault_table.KEY)
