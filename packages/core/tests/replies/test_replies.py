"""What the reply parser reads, what it refuses, and that nothing else comes out of it."""

import re
from decimal import Decimal

import pytest
from benchwright import replies
from benchwright.records import Protocol, Submission, TaskSpec
from hypothesis import given, settings
from hypothesis import strategies as st

JSON = TaskSpec("toy/answer", "An answer", "toy", submission="json")
FILE = TaskSpec("toy/softmax", "A file", "toy", submission="python-file", file="stable_softmax.py")
FILES = TaskSpec("toy/files", "Files", "toy", submission="files")
METAL = TaskSpec("toy/metal", "A kernel", "toy", submission="kernel", file="add.metal")
CUDA = TaskSpec("toy/cuda", "A kernel", "toy", submission="kernel", file="add.cu")
TOOLS = TaskSpec("toy/tools", "Tools", "toy", submission="json", protocol=Protocol("tools", passes=3))
REVISE = TaskSpec("toy/revise", "Rounds", "toy", submission="files", protocol=Protocol("revise", rounds=2))
SPECS = [JSON, FILE, FILES, METAL, CUDA, TOOLS, REVISE]

CODE = "import numpy as np\n\n\ndef softmax(x):\n    return np.exp(x)"
DONE = (CODE + "\n").encode()


def answer(text: str) -> object:
    return replies.parse(text, JSON).answer


def the_file(text: str, spec: TaskSpec = FILE) -> bytes:
    submission = replies.parse(text, spec)
    assert list(submission.files) == [spec.file]
    return submission.files[spec.file]


class TestJson:
    @pytest.mark.parametrize(
        "text",
        [
            '```json\n{"w": [1, 0.5]}\n```',
            'Sure!\n\n```json\n{"w": [1, 0.5]}\n```\nThat solves {all} of it, see [1].',
            '```\n{"w": [1, 0.5]}\n```',
            '```python\n{"w": [1, 0.5]}\n```',
            '~~~json\n{"w": [1, 0.5]}\n~~~',
            '1. The answer:\n\n      ```json\n      {"w": [1, 0.5]}\n      ```\n',
            '{"w": [1, 0.5]}',
            '\ufeff  {"w": [1, 0.5]}\n\n',
            'The answer is {"w": [1, 0.5]}, because x lies in [0, 1) and \\frac{1}{2} is {fine}.',
            'In [0, 1] (see [3]) the answer is\n{\n  "w": [1, 0.5]\n}\nDone.',
            '```json\r\n{"w": [1, 0.5]}\r\n```\r\n',
            'First:\n```json\n{"w": [1, 0.5]}\n```\nAgain:\n```json\n{"w": [1.0, 0.50]}\n```',
            '<think>Maybe {"w": [2]}?\n```json\n{"w": [3]}\n```\n</think>\n{"w": [1, 0.5]}',
            'Maybe {"w": [2]}?\n</think>\n\n{"w": [1, 0.5]}',
            '```json\n{"w": [1, 0.5]}',
            '```json {"w": [1, 0.5]} ```',
            '```json\n{"w": [1, 0.5]}```',
            '```json\n{"w": [1, 0.5]} ```\n\n',
            '- so:\n\t```json\n\t{"w": [1, 0.5]}\n\t```\n',
            'I ran this:\n```python\nw = [7]\nprint({"w": w})\n```\nSo {"w": [1, 0.5]}',
            'It is empty at first: {}. Then {"w": [1, 0.5]}.',
        ],
    )
    def test_one_value_is_read_in_whatever_dress(self, text):
        assert answer(text) == {"w": [1, Decimal("0.5")]}

    @pytest.mark.parametrize(
        ("text", "why"),
        [
            ("", "empty"),
            (" \n\t", "empty"),
            ("I cannot do that.", "no JSON"),
            ("Let x be in [note] and {so on}.", "no JSON"),
            ('```json\n{"w": 1}\n```\n```json\n{"w": 2}\n```', "2 JSON blocks that differ"),
            ('Either {"w": 1} or {"w": 2}.', "2 JSON values that differ"),
            ('Either {"w": true} or {"w": 1}.', "differ"),
            ('```json\n{"w": 1,}\n```', "line 1 .*not JSON"),
            ('```json\n{"w": [1, ...]}\n```\n\n```json\n{"w": [1, 2]}\n```', "line 1 .*not JSON"),
            ('The answer is {"w": [1, 2,], "b": {"c": 1}}.', "broken"),
            ("The answer is {'w': {\"a\": 1}}.", "broken"),
            ('The answer is {w: {"a": 1}}.', "broken"),
            ('The answer is [{"a": 1}, {"a": 2},].', "broken"),
            ('{"w": NaN}', "NaN"),
            ('So {"w": Infinity} it is', "Infinity"),
            ('```json\n{"w": 1e5000}\n```', "1e5000"),
            ('```json\n{"w": 1, "w": 2}\n```', "twice"),
            ('```\n{"w": 1, "w": 2}\n```', "twice"),
            ("[" * 70 + "]" * 70, "deeper"),
            ("<think>so much to say", "<think>"),
            ("x" * 8_000_001, "longer"),
            ("[1 " * 2000, "begins like JSON"),
            ('```json\n{"w": [1, 0.5]', "not JSON"),
        ],
    )
    def test_anything_else_is_unreadable_with_the_reason(self, text, why):
        with pytest.raises(replies.Unreadable, match=why) as caught:
            answer(text)
        assert caught.value.reason.endswith(".")
        assert "\n" not in caught.value.reason

    def test_a_list_in_prose_counts_only_where_there_is_no_object(self):
        assert answer("In [0, 1] and [0, 1]: see [0, 1]") == [0, 1]
        assert answer('Of [1, 2] and [3, 4]: {"w": 1}') == {"w": 1}
        with pytest.raises(replies.Unreadable):
            answer("Either [1, 2] or [3, 4]")

    def test_the_text_of_the_answer_is_kept(self):
        assert replies.parse('So {"w":  1.50}!', JSON).text == '{"w":  1.50}'


class TestOneFile:
    @pytest.mark.parametrize(
        "text",
        [
            f"```python\n{CODE}\n```",
            f"```python stable_softmax.py\n{CODE}\n```",
            f"```\n{CODE}\n```",
            f"Here:\n\n~~~py\n{CODE}\n~~~\nUse it well.",
            f"```python\n{CODE}\n```\nRun it:\n```bash\npython stable_softmax.py\n```",
            f"**`stable_softmax.py`**\n```python\n{CODE}\n```\nFor example:\n```python\nprint(softmax(x))\n```",
            f"### File: stable_softmax.py\n\n```python\n{CODE}\n```\n```python\nprint(softmax(x))\n```",
            f'```python title="stable_softmax.py"\n{CODE}\n```\n```python\nprint()\n```',
            f"```python:src/stable_softmax.py\n{CODE}\n```\n```python\nprint()\n```",
            f"```stable_softmax.py\n{CODE}\n```\n```python\nprint()\n```",
            f"```python softmax.py\n{CODE}\n```",
            f"```python\n{CODE}\n```\nAgain:\n```python\n{CODE}\n\n```",
            f"````python\n{CODE}\n````",
            f"```python\n{CODE}```",
            CODE,
            f"\n{CODE}\n\n",
            f"<think>hm\n```python\nx\n```</think>\n```python\n{CODE}\n```",
            f"```python\r\n{CODE}\r\n```".replace("\n", "\r\n").replace("\r\r", "\r"),
        ],
    )
    def test_one_file_is_read_with_or_without_its_name(self, text):
        assert the_file(text) == DONE

    def test_a_name_in_the_first_comment_counts_and_stays_in_the_file(self):
        text = f"```python\n# stable_softmax.py\n{CODE}\n```\n```python\nprint()\n```"
        assert the_file(text) == b"# stable_softmax.py\n" + DONE

    def test_a_longer_fence_may_hold_a_shorter_one(self):
        inner = 'DOC = """\n```python\nx\n```\n"""\n'
        assert the_file(f"````python\n{inner}````") == inner.encode()

    @pytest.mark.parametrize(
        ("text", "why"),
        [
            (f"```python\n{CODE}\n```\n```python\nprint(1)\n```", "2 code blocks and none carries the name"),
            (
                f"```python stable_softmax.py\n{CODE}\n```\n```python stable_softmax.py\nx = 1\n```",
                "2 code blocks that carry",
            ),
            (f"```python\n{CODE}", "never closes"),
            (f"```python\n{CODE}````", "never closes"),
            ("```bash\nls\n```", "found bash"),
            ("```python\n\n```", "empty"),
            ("I would subtract the maximum first.", "no code block"),
            ("Sorry", "no code block"),
            ("# Softmax\n\nTake the maximum, then = it.", "no code block"),
            ("import is a word that this sentence begins with.", "no code block"),
            ("```python\nx = '\ud800'\n```", "surrogate"),
            ("```python\n" + "#" * 4_000_001 + "\n```", "larger"),
        ],
    )
    def test_anything_else_is_unreadable_with_the_reason(self, text, why):
        with pytest.raises(replies.Unreadable, match=why):
            the_file(text)

    def test_kernels_are_read_in_their_own_languages(self):
        metal = "#include <metal_stdlib>\nkernel void add() {}"
        assert the_file(f"```metal\n{metal}\n```\n```python\nrun()\n```", METAL) == (metal + "\n").encode()
        assert the_file(metal, METAL) == (metal + "\n").encode()
        cuda = "__global__ void add(float* x) { x[0] = 1; }"
        assert the_file(f"```cuda\n{cuda}\n```", CUDA) == (cuda + "\n").encode()
        with pytest.raises(replies.Unreadable):
            the_file("```python\nrun()\n```", CUDA)


class TestFiles:
    def test_every_named_block_is_a_file_and_others_are_prose(self):
        text = "```python net.py\nx = 1\n```\n`weights.json`:\n```json\n{}\n```\n```python\nprint()\n```\n```py lib/a.py\ny = 2\n```"
        assert replies.parse(text, FILES).files == {
            "net.py": b"x = 1\n",
            "weights.json": b"{}\n",
            "lib/a.py": b"y = 2\n",
        }

    @pytest.mark.parametrize(
        ("text", "why"),
        [
            ("```python a.py\nx = 1\n```\n```python a.py\nx = 2\n```", "differ"),
            ("```python a.py\nx = 1\n```\n```python A.py\nx = 1\n```", "case"),
            ("```python a/../../b.py\nx = 1\n```", "leads out"),
            ("```python a//b.py\nx = 1\n```\n```python a.py\n```", "empty"),
            ("```python a.py\nx = 1\n```\n```python a.py/b.py\nx = 1\n```", "inside"),
            ("```python\nx = 1\n```", "though 1 without"),
            ("x = 1", "no code block"),
            ("".join(f"```python f{n}.py\nx = {n}\n```\n" for n in range(33)), "33 files"),
        ],
    )
    def test_anything_else_is_unreadable_with_the_reason(self, text, why):
        with pytest.raises(replies.Unreadable, match=why):
            replies.parse(text, FILES)


class TestInstructions:
    @pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.id)
    def test_a_reply_that_follows_them_is_read(self, spec):
        told = replies.instructions(spec)
        *_, fence = re.findall(r"```\w+(?: \w+\.\w+)?", told)
        body = '{"w": 1}' if spec.submission == "json" else "x = 1"
        assert isinstance(replies.parse(f"{fence}\n{body}\n```", spec), Submission)

    def test_they_speak_of_passes_and_rounds_where_there_are_any(self):
        assert "3 times at most" in replies.instructions(TOOLS)
        assert "report" in replies.instructions(REVISE)
        assert "Python" not in replies.instructions(JSON)


class TestPythonBlocks:
    def test_blocks_without_a_file_name_are_to_be_run(self):
        text = "a\n```python\nprint(1)\n```\n```json\n{}\n```\n```py\nprint(2)\n```\n```python net.py\nx\n```\n```\nplain\n```"
        assert replies.python_blocks(text) == ["print(1)\n", "print(2)\n"]

    def test_what_was_only_thought_is_not_run(self):
        assert replies.python_blocks("<think>```python\nx\n```\n</think>\n```python\ny\n```") == ["y\n"]
        assert replies.python_blocks("") == []


PIECES = st.sampled_from(
    ["```", "````", "~~~", "json", "python", "\n", "\n\n", " ", "{", "}", "[", "]", '"a"', ":", ",", "1", "-0.5e3", "NaN", "'", '"', "\\", "\\ud800",
     "x.py", "# a.py", "stable_softmax.py", "<think>", "</think>", "def f(x):", "import os", "\r\n", "\r", "\0", "\ud800", "é", "\u2028", "1e999999", "..", "/"]
)  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(text=st.one_of(st.text(), st.lists(PIECES, max_size=40).map("".join)), spec=st.sampled_from(SPECS))
def test_any_text_gives_a_submission_or_a_reason(text, spec):
    try:
        submission = replies.parse(text, spec)
    except replies.Unreadable:
        pass
    else:
        assert submission.kind == spec.submission
        assert submission.files or submission.text
    assert all(isinstance(block, str) for block in replies.python_blocks(text))


ADVERSARIES = {
    "open brackets": "[",
    "open braces": '{"a":',
    "brackets and quotes": '["',
    "quoted brackets": '"],["',
    "numbers": "[1,",
    "inner lists": "[[1],",
    "fences": "```\n",
    "growing fences": "`",
    "tildes": "~~~\n```\n",
    "names": "**`x.py`**\n",
    "blanks": "[ \t",
    "newlines": "\n",
    "words": "a_b:",
    "thoughts": "<think></think>\n",
    "definitions": "x: y ",
    "escapes": '["\\',
    "digits": "9",
}


@pytest.mark.parametrize("piece", ADVERSARIES.values(), ids=ADVERSARIES)
@pytest.mark.parametrize("size", [200_000, pytest.param(5_000_000, marks=pytest.mark.proof)])
def test_long_hostile_text_is_read_in_one_pass(piece, size):
    text = piece * (size // len(piece))
    for spec in (JSON, FILE, FILES):
        for whole in (text, "x " + text, "[" + text, '{"a": "' + text, "```json\n" + text):
            try:
                replies.parse(whole, spec)
            except replies.Unreadable:
                continue
