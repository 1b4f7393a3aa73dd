"""The proof of a task: it holds for every task that is here, and breaks where something is spoiled."""

from collections.abc import Callable
from pathlib import Path

import pytest
from benchwright.outcomes import OUTCOMES
from benchwright.sandbox import Sandbox
from scratch_kernels import commands, grading, mutants, validation
from scratch_kernels import folder as folders

LAPTOP = [slug for slug in folders.slugs() if folders.read(folders.TASKS / slug).tier == "laptop"]
TESTS = "hidden_tests/test_stable_softmax.py"


@pytest.mark.parametrize("slug", LAPTOP)
def test_nothing_is_wrong_that_can_be_seen_without_running(slug: str) -> None:
    assert validation.still_problems(folders.TASKS / slug) == []


@pytest.mark.parametrize("slug", LAPTOP)
def test_a_reference_solves_its_task_and_its_starter_fails_every_test(slug: str, sandbox: Sandbox) -> None:
    folder = folders.TASKS / slug
    solved = grading.grade(folder, folders.files(folder / "reference"), sandbox)
    assert solved.outcome == "solved", solved.reason
    starter = grading.grade(folder, folders.files(folder / "starter"), sandbox)
    assert starter.outcome == "unsolved", starter.reason
    assert [check.id for check in starter.checks if check.passed] == []


@pytest.mark.parametrize("slug", LAPTOP)
def test_a_program_without_the_mechanism_fails_for_that_reason(slug: str, sandbox: Sandbox) -> None:
    folder = folders.TASKS / slug
    for skip in mutants.skips(folder):
        verdict = grading.grade(folder, mutants.skip_program(folder, skip), sandbox)
        assert OUTCOMES[verdict.outcome].evidence == "failure", f"{skip.file}: {verdict.reason}"
        failed = {grading.function(id) for id in grading.failed(verdict)}
        assert failed == {*skip.fails, *skip.also}, skip.file


@pytest.mark.proof
@pytest.mark.parametrize("slug", LAPTOP)
def test_the_whole_proof_of_a_task_holds(slug: str, sandbox: Sandbox) -> None:
    assert validation.problems(folders.TASKS / slug, sandbox) == []


def test_there_are_at_least_270_hidden_tests() -> None:
    assert sum(len(validation.expected_ids(folders.TASKS / slug)) for slug in LAPTOP) >= 270


def test_a_parameter_that_is_no_word_is_told(spoiled: Callable[..., Path]) -> None:
    folder = spoiled("expected_ids.txt", "[list_of_ints]", "[-0.5]")
    assert any("are not plain words" in problem for problem in validation.still_problems(folder))


def few(folder: Path) -> Path:
    """The folder with one mutant and no record, so that its proof is short."""
    text = (folder / "mutants" / "mutants.yaml").read_text()
    (folder / "mutants" / "mutants.yaml").write_text("  - name: ".join(text.split("  - name: ")[:2]))
    return folder


def test_a_mutant_that_survives_against_its_expectation_is_told(spoiled: Callable[..., Path], sandbox: Sandbox) -> None:
    folder = few(
        spoiled("mutants/mutants.yaml", "np.zeros_like(largest)", "np.where(np.isneginf(largest), 0, largest)")
    )
    _, problems = validation.judged(folder, sandbox)
    assert "mutant no_shift survives, against what its author expects" in problems


def test_a_mutant_that_is_caught_against_its_expectation_is_told(
    spoiled: Callable[..., Path], sandbox: Sandbox
) -> None:
    folder = few(
        spoiled("mutants/mutants.yaml", "expect: caught", "expect: survives\n    explanation: It is the same.")
    )
    _, problems = validation.judged(folder, sandbox)
    assert "mutant no_shift is caught, against what its author expects" in problems


def test_a_skip_that_is_a_solution_is_told(spoiled: Callable[..., Path], sandbox: Sandbox) -> None:
    folder = few(spoiled())
    (folder / "skips" / "clipped.py").write_bytes((folder / "reference" / "stable_softmax.py").read_bytes())
    _, problems = validation.judged(folder, sandbox)
    assert "skips/clipped.py is taken for a solution, without the shift by the maximum" in problems


@pytest.mark.parametrize(
    ("new", "code"), [("np.zeros_like(largest)", 0), ("np.where(np.isneginf(largest), 0, largest)", 1)]
)
def test_the_command_that_judges_mutants_ends_in_1_where_one_does_not_behave(
    spoiled: Callable[..., Path], sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, new: str, code: int
) -> None:
    folder = few(spoiled("mutants/mutants.yaml", "np.zeros_like(largest)", new))
    monkeypatch.setattr(folders, "of", lambda task: folder)
    assert commands.kernels.main(["shapes", folder.name], standalone_mode=False) == code


STARTERS = {
    "one_that_solves_something": ("    raise NotImplementedError\n\n\ndef log", "    return np.exp(x) / np.exp(x).sum(axis, keepdims=True)\n\n\ndef log", "the starter passes"),
    "one_that_cannot_be_imported": ("import numpy as np", "import numpy as np\n\nraise RuntimeError", "ends in submission_error"),
}  # fmt: skip


@pytest.mark.parametrize("name", STARTERS)
def test_a_starter_that_does_not_fail_cleanly_is_told(
    spoiled: Callable[..., Path], sandbox: Sandbox, name: str
) -> None:
    old, new, why = STARTERS[name]
    problems = validation._starter(spoiled("starter/stable_softmax.py", old, new), sandbox)
    assert any(why in problem for problem in problems)


def test_a_record_of_another_version_is_told(spoiled: Callable[..., Path]) -> None:
    folder = spoiled("prompt.md", "Positive infinity", "Plus infinity")
    kept = mutants.shapes(folder)
    assert kept is not None
    (problem,) = validation._record(folder, mutants.Shapes("bw1:new", kept.mutants, kept.skips))
    assert "of another version" in problem
