"""Mutant lists: what they may say, and that each change still finds its place."""

from collections.abc import Callable
from pathlib import Path

import pytest
from benchwright import digests
from benchwright.errors import FileError
from scratch_kernels import folder as folders
from scratch_kernels import mutants, shapes, validation

LIST = "mutants/mutants.yaml"


@pytest.mark.parametrize("slug", folders.slugs())
def test_every_mutant_is_another_program_than_the_reference(slug: str) -> None:
    folder = folders.TASKS / slug
    reference = folders.files(folder / "reference")
    programs = [mutants.program(folder, mutant) for mutant in mutants.mutants(folder)]
    assert all(program != reference for program in programs)
    assert len({next(iter(program.values())) for program in programs}) == len(programs)


REFUSED = {
    "a_change_without_a_place": ("keepdims=True, initial=-np.inf)\"\n    replace", "nowhere to be found\"\n    replace", "stands 0 times"),
    "an_unexplained_survivor": ("expect: caught", "expect: survives", "an explanation belongs to `survives`"),
    "a_name_twice": ("name: no_shift", "name: masked_slice_is_nan", "two mutants are called masked_slice_is_nan"),
    "an_unknown_verdict": ("expect: caught", "expect: perhaps", "perhaps"),
    "no_change_at_all": ('    find: "shift = np.where(np.isneginf(largest), 0.0, largest)"\n', "", "needs one of"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_a_spoiled_list_is_refused(spoiled: Callable[..., Path], name: str) -> None:
    old, new, why = REFUSED[name]
    folder = spoiled(LIST, old, new)
    with pytest.raises(FileError) as caught:
        _ = [mutants.program(folder, mutant) for mutant in mutants.mutants(folder)]
    assert why in str(caught.value)


def test_too_few_mutants_are_told(spoiled: Callable[..., Path]) -> None:
    folder = spoiled()
    lines = (folder / LIST).read_text().split("  - name: ")
    (folder / LIST).write_text("  - name: ".join(lines[:5]))
    assert "it has 4 wrong mutants of at least 8" in validation.still_problems(folder)


def test_a_program_that_no_list_names_is_told(spoiled: Callable[..., Path]) -> None:
    folder = spoiled()
    (folder / "skips" / "forgotten.py").write_text(f"# {digests.CANARY}\n")
    assert "skips/forgotten.py is listed nowhere" in validation.still_problems(folder)


def test_a_record_of_shapes_reads_back_as_it_was_written(tmp_path: Path) -> None:
    made = mutants.Shapes("bw1:0", {"a": ("t.py::test_x[one]", "t.py::test_y"), "b": ()}, {"c": ("t.py::test_z",)})
    (tmp_path / "mutants").mkdir()
    (tmp_path / "mutants" / "shapes.yaml").write_text(shapes.written(made))
    assert mutants.shapes(tmp_path) == made


@pytest.mark.parametrize("slug", folders.slugs())
def test_the_record_of_shapes_belongs_to_the_task_as_it_is(slug: str) -> None:
    folder = folders.TASKS / slug
    kept = mutants.shapes(folder)
    assert kept is not None
    assert kept.digest == digests.task_digest(folders.parts(folder))
    assert set(kept.mutants) == {mutant.name for mutant in mutants.mutants(folder)}
    assert set(kept.skips) == {skip.file.removesuffix(".py") for skip in mutants.skips(folder)}
    ids = set(validation.expected_ids(folder))
    assert all(set(failed) <= ids for failed in (*kept.mutants.values(), *kept.skips.values()))
