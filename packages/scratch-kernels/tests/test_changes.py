"""Changes made by machine: what is changed, and that each is another program."""

import ast
from collections.abc import Callable
from pathlib import Path

import pytest
from benchwright.sandbox import Sandbox
from scratch_kernels import changes, mutation
from scratch_kernels import folder as folders

LAPTOP = [slug for slug in folders.slugs() if folders.read(folders.TASKS / slug).tier == "laptop"]

MADE = {
    "a_comparison": ("x = a < b", "x = a < b -> x = a <= b"),
    "an_operator": ("x = a * b", "x = a * b -> x = a / b"),
    "a_constant": ("x = 3", "x = 3 -> x = 4"),
    "a_keyword": ("f(a, axis=1)", "f(a, axis=1) -> f(a)"),
    "a_condition": ("if a:\n    f()", "if a: -> if False:"),
    "a_conditional": ("x = a if b else c", "x = a if b else c -> x = c"),
    "a_statement": ("f()\ng()", "g() -> pass"),
    "a_slice": ("x = a[1:n]", "x = a[1:n] -> x = a[:n]"),
    "a_neighbour": ("x = np.maximum(a, b)", "x = np.maximum(a, b) -> x = np.minimum(a, b)"),
    "a_sum_into": ("x += a", "x += a -> x = a"),
    "a_sign": ("x = -a", "x = -a -> x = a"),
}


@pytest.mark.parametrize("name", MADE)
def test_a_kind_of_change_is_made(name: str) -> None:
    source, key = MADE[name]
    assert key in [change.key for change in changes.changes(source)]


def test_docstrings_and_annotations_are_left_alone() -> None:
    source = 'def f(a: "1" = None) -> "2":\n    """3"""\n    return a\n'
    assert changes.changes(source) == ()


@pytest.mark.parametrize("slug", LAPTOP)
def test_every_change_of_a_reference_is_a_program_of_its_own(slug: str) -> None:
    made = mutation.made(folders.TASKS / slug)
    assert len(made) > 15
    assert len({ast.dump(ast.parse(change.source)) for change in made}) == len(made)


@pytest.mark.parametrize("slug", LAPTOP)
def test_every_explained_survivor_is_a_change_that_is_made(slug: str) -> None:
    folder = folders.TASKS / slug
    assert set(mutation.explained(folder)) <= {change.key for change in mutation.made(folder)}


def test_a_sample_of_changes_is_caught_or_explained(sandbox: Sandbox) -> None:
    result = mutation.run(folders.TASKS / "softmax_stability", sandbox, sample=6, seed=1)
    assert result.made == 6
    assert result.unexplained == ()
    assert result.stale == ()


@pytest.mark.full
@pytest.mark.parametrize("slug", LAPTOP)
def test_every_change_is_caught_or_explained(slug: str, sandbox: Sandbox) -> None:
    result = mutation.run(folders.TASKS / slug, sandbox)
    assert result.unexplained == ()
    assert result.stale == ()


def test_a_survivor_without_an_explanation_is_told(spoiled: Callable[..., Path], sandbox: Sandbox) -> None:
    folder = spoiled()
    (key, *_) = mutation.explained(folder)
    (folder / "mutants" / "survivors.yaml").unlink()
    result = mutation.run(folder, sandbox, only=[key])
    assert [change.key for change in result.unexplained] == [key]
    assert key in result.told()


def test_an_explanation_of_what_is_caught_is_told(spoiled: Callable[..., Path], sandbox: Sandbox) -> None:
    folder = spoiled()
    caught = "return result if keepdims else np.squeeze(result, axis=axis)[()] -> return result"
    text = (folder / "mutants" / "survivors.yaml").read_text()
    (folder / "mutants" / "survivors.yaml").write_text(f'{text}  - changes: ["{caught}"]\n    why: It is not so.\n')
    assert caught in mutation.run(folder, sandbox, only=[caught]).stale
