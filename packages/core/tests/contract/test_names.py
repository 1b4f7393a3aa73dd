"""Ids and digests are decided once: these values never change for the same input."""

import pytest
from benchwright import digests, names
from benchwright.errors import UserError
from benchwright.records import Message


def test_the_digest_of_a_task_folder_is_pinned():
    parts = {"prompt.md": b"Do it.\n", "hidden_tests/test_a.py": b"def test_a(): ...\n", "limits": b'{"seconds":60.0}'}
    assert digests.task_digest(parts) == "bw1:d078ed78731eac532d20e7541e098a871476c035b9c60deb19617d3effdfce0b"


def test_newlines_of_another_system_do_not_change_a_digest():
    assert digests.task_digest({"a": b"x\r\ny\r"}) == digests.task_digest({"a": b"x\ny\n"})


def test_binary_content_is_hashed_as_it_is():
    assert digests.task_digest({"a": b"\0\r\n"}) != digests.task_digest({"a": b"\0\n"})
    assert digests.task_digest({"a": b"\xff\r\n"}) != digests.task_digest({"a": b"\xff\n"})


def test_moving_bytes_between_files_changes_a_digest():
    assert digests.task_digest({"a": b"xy", "b": b""}) != digests.task_digest({"a": b"x", "b": b"y"})


def test_the_prompt_digest_covers_system_line_messages_attachments_and_reply_format():
    message = Message("user", "Hello")
    base = digests.prompt_digest("s", [message])
    others = {
        digests.prompt_digest("t", [message]),
        digests.prompt_digest("s", [Message("user", "Hello ")]),
        digests.prompt_digest("s", [Message("user", "Hello", {"f": b""})]),
        digests.prompt_digest("s", [message], reply_format=2),
    }
    assert base not in others
    assert len(others) == 4


def test_the_canary_line_is_stripped_and_nothing_else():
    assert digests.strip_canary(f"a\n<!-- {digests.CANARY} -->\nb\n") == "a\nb\n"
    assert digests.strip_canary("a\r\nb") == "a\r\nb"


def test_an_attempt_id_is_pinned():
    assert names.attempt_id("sha256:p", "bw1:t", "reference", 1) == "7b93b70ebffa5e40"


def test_a_model_identity_sorts_its_knobs_and_names_only_those_sent():
    assert (
        names.model_identity("openai/gpt", {"temperature": 0.5, "effort": "high"})
        == "openai/gpt[effort=high,temperature=0.5]"
    )
    assert names.model_identity("openai/gpt", {}) == "openai/gpt"
    assert names.model_identity("x/y", {"stream": True}) == "x/y[stream=true]"


@pytest.mark.parametrize(
    ("text", "parsed"),
    [
        ("reference", ("reference", "", {})),
        ("anthropic/claude-x[effort=high]", ("anthropic", "claude-x", {"effort": "high"})),
        ("file:/tmp/a[b].py", ("file", "/tmp/a[b].py", {})),
        ("openai-compatible/org/model", ("openai-compatible", "org/model", {})),
        ("command:./x --flag=1", ("command", "./x --flag=1", {})),
    ],
)
def test_a_model_as_typed_is_taken_apart(text, parsed):
    assert names.parse_model(text) == parsed


@pytest.mark.parametrize(
    "text", ["", "Reference", "a b", "x/y[effort]", "x/y[a=1,a=2]", "/x", "x/y[a=1", "x/y]", "x/y[a=1]z", "x/y z"]
)
def test_what_is_no_model_is_refused_in_a_sentence(text):
    with pytest.raises(UserError):
        names.parse_model(text)


def test_a_parsed_identity_is_the_identity_again():
    provider, rest, knobs = names.parse_model("openai/gpt[a=1,b=x]")
    assert names.model_identity(f"{provider}/{rest}", knobs) == "openai/gpt[a=1,b=x]"


@pytest.mark.parametrize("task", ["weightspace/read_div_by_3", "kernels/a__2", "my-bench/x9"])
def test_task_ids_have_a_benchmark_and_a_slug(task):
    assert "/".join(names.split_task_id(task)) == task


@pytest.mark.parametrize(
    "task", ["", "kernels", "kernels/", "kernels/Soft", "kernels/a-b", "Kernels/a", "a/b/c", "a/9"]
)
def test_other_texts_are_no_task_ids(task):
    with pytest.raises(UserError, match="is not a task id"):
        names.split_task_id(task)


def test_folder_names_are_portable_and_keep_identities_apart():
    identities = ["a/b", "a_b", "a:b", "A_b", "x/y[effort=high]", "file:/tmp/net.py", "é", "..", "con/" + "x" * 200]
    folders = [names.folder_name(identity) for identity in identities]
    assert len({folder.lower() for folder in folders}) == len(identities)
    assert all(
        set(folder) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._=,+-") for folder in folders
    )
    assert all(len(folder) <= 100 and not folder.startswith(".") for folder in folders)


def test_run_ids_have_the_form_that_sorts_by_time():
    assert names.RUN_ID.fullmatch(names.new_run_id())
    assert names.new_run_id(0).startswith("19700101-000000-")
