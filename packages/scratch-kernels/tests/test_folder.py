"""Task folders: what is read, what is refused and where, what is sent, what the digest covers."""

from collections.abc import Callable
from pathlib import Path

import pytest
from benchwright import digests
from benchwright.errors import FileError, UserError
from scratch_kernels import folder as folders

REFUSED = {
    "an_unknown_key": ("difficulty: 1", "difficulty: 1\nsetname: v2", 6, "unknown key `setname`"),
    "a_key_twice": ("difficulty: 1", "difficulty: 1\ndifficulty: 2", 6, "second time"),
    "a_missing_key": ("probes: ", "# probes: ", 2, "`probes` is missing"),
    "difficulty_as_text": ("difficulty: 1", 'difficulty: "2"', 5, "Expected `int`, got `str`"),
    "difficulty_with_a_fraction": ("difficulty: 1", "difficulty: 1.5", 5, "Expected `int`, got `float`"),
    "difficulty_true": ("difficulty: 1", "difficulty: true", 5, "Expected `int`, got `bool`"),
    "difficulty_six": ("difficulty: 1", "difficulty: 6", 5, "<= 5"),
    "an_unknown_category": ("category: numerics", "category: sums", 4, "sums"),
    "an_unknown_tier": ("tier: laptop", "tier: cloud", 7, "cloud"),
    "a_version_that_is_a_number": ('version: "1"', "version: 1", 3, "Expected `str`"),
    "a_version_of_zero": ('version: "1"', 'version: "0"', 3, "matching regex"),
    "a_bare_word_for_a_list": ("imports: [numpy]", "imports: numpy", 10, "a list"),
    "a_path_for_a_file": ("file: stable_softmax.py", "file: ../x.py", 9, "matching regex"),
    "an_empty_title": (
        "title: Softmax, log-softmax and logsumexp that survive any input",
        'title: ""',
        2,
        "length >= 1",
    ),
    "more_than_300_seconds": ("seconds: 60", "seconds: 301", 11, "at most 300"),
    "an_unknown_limit": ("  seconds: 60", "  second: 60", 12, "unknown key `second`"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_task_yaml_is_refused_with_line_and_reason(spoiled: Callable[..., Path], name: str) -> None:
    old, new, line, why = REFUSED[name]
    folder = spoiled("task.yaml", old, new)
    with pytest.raises(FileError) as caught:
        folders.read(folder)
    assert why in str(caught.value)
    assert f"task.yaml:{line}:" in str(caught.value)


def test_a_folder_name_that_is_no_slug_is_refused(spoiled: Callable[..., Path]) -> None:
    folder = spoiled()
    with pytest.raises(FileError, match="lower-case"):
        folders.read(folder.rename(folder.with_name("Soft-Max")))


def test_an_unknown_task_is_answered_with_the_nearest() -> None:
    with pytest.raises(UserError, match="Did you mean `softmax_stability`"):
        folders.of("kernels/softmax_stabilty")


def test_every_task_lies_as_it_should() -> None:
    assert [problem for slug in folders.slugs() for problem in folders.layout_problems(folders.TASKS / slug)] == []


LAYOUT = {
    "a_missing_canary": ("hidden_tests/test_stable_softmax.py", digests.CANARY_ID, "gone", "lacks the canary line"),
    "a_prompt_without_the_file": ("prompt.md", "stable_softmax.py", "softmax file", "does not name stable_softmax.py"),
    "another_file_name": ("task.yaml", "file: stable_softmax.py", "file: other.py", "and not other.py alone"),
}


@pytest.mark.parametrize("name", LAYOUT)
def test_a_spoiled_layout_is_told(spoiled: Callable[..., Path], name: str) -> None:
    file, old, new, why = LAYOUT[name]
    assert any(why in problem for problem in folders.layout_problems(spoiled(file, old, new)))


@pytest.mark.parametrize("slug", folders.slugs())
def test_what_a_model_is_sent_has_no_numbers_no_canary_and_the_starter(slug: str) -> None:
    task = folders.load(folders.TASKS / slug)
    (message,) = task.messages
    assert "[P" not in message.text
    assert digests.CANARY_ID not in message.text
    assert message.attachments == task.starter.files
    assert set(task.starter.files) == set(task.reference.files) == {folders.spec(folders.TASKS / slug).file}


DIGESTED = [
    "prompt.md",
    "starter/stable_softmax.py",
    "reference/stable_softmax.py",
    "hidden_tests/test_stable_softmax.py",
    "expected_ids.txt",
]


@pytest.mark.parametrize("file", DIGESTED)
def test_the_digest_covers_what_decides_a_verdict(spoiled: Callable[..., Path], file: str) -> None:
    folder = spoiled()
    before = digests.task_digest(folders.parts(folder))
    (folder / file).write_text((folder / file).read_text() + "\n")
    assert digests.task_digest(folders.parts(folder)) != before


def test_the_digest_covers_limits_and_imports(spoiled: Callable[..., Path]) -> None:
    plain = digests.task_digest(folders.parts(spoiled()))
    slower = digests.task_digest(folders.parts(spoiled("task.yaml", "seconds: 60", "seconds: 61")))
    wider = digests.task_digest(folders.parts(spoiled("task.yaml", "[numpy]", "[numpy, scipy]")))
    assert len({plain, slower, wider}) == 3


@pytest.mark.parametrize("file", ["mutants/mutants.yaml", "skips/wide_type.py"])
def test_the_digest_leaves_mutants_and_skips_out(spoiled: Callable[..., Path], file: str) -> None:
    folder = spoiled()
    before = digests.task_digest(folders.parts(folder))
    (folder / file).write_text((folder / file).read_text() + "\n")
    assert digests.task_digest(folders.parts(folder)) == before


def test_a_checkout_with_other_line_ends_has_the_same_digest(spoiled: Callable[..., Path]) -> None:
    folder = spoiled()
    before = digests.task_digest(folders.parts(folder))
    prompt = folder / "prompt.md"
    prompt.write_bytes(prompt.read_bytes().replace(b"\n", b"\r\n"))
    assert digests.task_digest(folders.parts(folder)) == before
