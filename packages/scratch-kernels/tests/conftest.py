"""A task folder to spoil, and one sandbox for the tests of a process."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from benchwright.sandbox import NoWalls, Sandbox
from scratch_kernels import folder as folders


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    """One sandbox for all tests of this process; skips where the machine has no walls."""
    with Sandbox() as made:
        try:
            assert made.tier
        except NoWalls as error:
            pytest.skip(f"no walls on this machine: {error}")
        yield made


@pytest.fixture
def spoiled(tmp_path: Path) -> Callable[..., Path]:
    """`spoiled("prompt.md", old, new)`: a copy of softmax_stability in which one file reads otherwise."""

    def make(file: str = "", old: str = "", new: str = "", slug: str = "softmax_stability") -> Path:
        target = tmp_path / slug
        if not target.exists():
            shutil.copytree(folders.TASKS / slug, target, ignore=shutil.ignore_patterns("__pycache__"))
        if file:
            text = (target / file).read_text()
            assert old in text
            (target / file).write_text(text.replace(old, new, 1))
        return target

    return make
