"""What the tests share: one sandbox, the data folder that a person filled, tasks by name."""

import os
import sys
from pathlib import Path

import pytest

# The corpus of submissions is a package beside the tests.
sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(scope="session")
def sandbox():
    from benchwright.sandbox import Sandbox

    with Sandbox() as opened:
        yield opened


@pytest.fixture(scope="session")
def sst2_folder(tmp_path_factory):
    """A data folder with SST-2's train and dev sentences, from the folder that BENCHWRIGHT_SHARED names."""
    from handnet_bench import fetch

    shared = os.environ.get("BENCHWRIGHT_SHARED")
    if not shared or not (Path(shared) / "data" / "sst2").is_dir():
        pytest.skip("BENCHWRIGHT_SHARED names no folder with data/sst2: the tests that read SST-2 sentences do not run")
    folder = tmp_path_factory.mktemp("data")
    fetch.fetch("sst2", folder, lambda line: None, local=Path(shared) / "data" / "sst2")
    return folder
