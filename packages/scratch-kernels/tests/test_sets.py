"""sets.yaml: what it pins is what lies in the package, and a change without a new version does not pass."""

import pytest
from benchwright.errors import UserError
from benchwright.registry import Pin
from scratch_kernels import folder as folders
from scratch_kernels import sets


def test_sets_yaml_is_what_the_command_writes() -> None:
    assert sets.PATH.read_text() == sets.written(sets.pinned(sets.kept(), sets.pins()))


def test_every_task_stands_in_one_set() -> None:
    pinned = [pin.id for members in sets.kept().values() for pin in members]
    assert sorted(pinned) == sorted(f"kernels/{slug}" for slug in folders.slugs())


OLD = {"warmup": [Pin("kernels/a", "1", "bw1:x")], "laptop-1": [Pin("kernels/b", "1", "bw1:y")]}


def test_a_changed_task_needs_a_new_version() -> None:
    with pytest.raises(UserError, match="still version 1"):
        sets.pinned(OLD, [Pin("kernels/a", "1", "bw1:other")])


def test_a_new_version_is_pinned_in_the_same_set() -> None:
    now = [Pin("kernels/a", "1", "bw1:x"), Pin("kernels/b", "2", "bw1:z")]
    assert sets.pinned(OLD, now) == {"warmup": [now[0]], "laptop-1": [now[1]]}


def test_a_new_task_starts_in_warmup() -> None:
    new = Pin("kernels/c", "1", "bw1:c")
    assert new in sets.pinned(OLD, [*OLD["warmup"], *OLD["laptop-1"], new])["warmup"]
