"""Whatever is handed in, there is an outcome in one sentence; labels stay on this side."""

from pathlib import Path

import msgspec
import numpy as np
import pytest
from benchwright import Limits, Submission
from handnet_bench import answering, datasets, devreport, scoring, tasks
from handnet_bench.rules import literals, source
from handnet_corpus.parts import DIGITS, SUMS

MNIST, ADDITION = tasks.BY_SLUG["mnist"], tasks.BY_SLUG["addition"]


def graded(task, content, sandbox, split="test", limits=None, folder=None):
    files = {"my_net.py": content if isinstance(content, bytes) else content.encode()}
    submission = Submission(kind="python-file", files=files)
    return scoring.evaluate(task, submission, sandbox, limits or task.limits, folder or Path(), split)


BAD = {
    "random text": ("I think the answer is a neural network.", "submission_error", "no Python source"),
    "not UTF-8": (b"x = '\xff\xfe'\n", "submission_error", "not UTF-8"),
    "another encoding": (b"# -*- coding: utf-7 -*-\nx = 1\n", "submission_error", "encoding"),
    "null bytes": (
        b"x = 1\ny = 2\0\n",
        "submission_error",
        "The file is no Python source: it holds a NUL byte (line 2).",
    ),
    "a hundred million bytes": (b"#" * 100_000_000, "submission_error", "at most"),
    "deep nesting": ("x = " + "(" * 5000 + ")" * 5000, "submission_error", "no Python source"),
    "nothing defined": ("x = 1\n", "submission_error", "defines no TASK and no WEIGHTS and no predict"),
    "no predict": ('TASK = "mnist"\nWEIGHTS = {}\n', "submission_error", "no predict"),
    "an error on import": ("1 / 0\n", "submission_error", "division by zero"),
    "an error in predict": (DIGITS.replace("images.sum(axis=2)", "images.sum(axis=7)"), "submission_error", "axis"),
    "another task": (DIGITS.replace('"mnist"', '"sst2"'), "submission_error", "TASK is 'sst2'"),
    "floats": (DIGITS.replace("int(k) for", "float(k) for"), "submission_error", "float"),
    "NaN": (DIGITS.replace("int(k) for", "np.nan for"), "submission_error", "NaN"),
    "booleans": (DIGITS.replace("int(k) for", "True for"), "submission_error", "bool"),
    "too few": (
        DIGITS.replace("argmax(axis=1)]", "argmax(axis=1)][:5]"),
        "submission_error",
        "5 values for 10,000 inputs",
    ),
    "a matrix": (
        DIGITS.replace("return [int(k)", "return np.zeros((2, 2), int)\n    return [int(k)"),
        "submission_error",
        "shape (2, 2)",
    ),
    "nothing": (DIGITS.replace("    return", "    x ="), "submission_error", "nothing"),
    "a dict of answers": (
        DIGITS.replace("return [int(k)", "return {0: 0}\n    return [int(k)"),
        "submission_error",
        "predict gave a dict;",
    ),
    "a generator": (
        DIGITS.replace("return [int(k)", "return (0 for _ in images)\n    return [int(k)"),
        "submission_error",
        "predict gave a generator;",
    ),
    "an array of objects": (
        DIGITS.replace("return [int(k)", "return np.array([None] * len(images))\n    return [int(k)"),
        "submission_error",
        "predict gave an array of object;",
    ),
    "lists": (DIGITS.replace("[int(k) for", "[[0] for"), "submission_error", "predict gave a list among its values"),
    "whole numbers of a class of its own": (
        DIGITS.replace("return [int(k)", "class Digit(int):\n        pass\n\n    return [Digit(k)"),
        "submission_error",
        "predict gave a Digit among its values",
    ),
    "an end of the program": (
        DIGITS.replace("return [int(k)", "raise SystemExit\n    return [int(k)"),
        "submission_error",
        "predict raised SystemExit",
    ),
    "a sum of a thousand terms": (
        DIGITS.replace("images.sum(axis=2)", "images.sum(axis=2)" + " + 0" * 1000),
        "submission_error",
        "nests more than 90 levels deep (line",
    ),
    "a chain of a thousand elif": (
        DIGITS + "\n\nif TASK == '':\n    pass\n" + "".join(f"elif TASK == '{i}':\n    pass\n" for i in range(1000)),
        "submission_error",
        "nests more than 90 levels deep (line",
    ),
    "no dict": (
        DIGITS.replace('{"rows": rows}', "[rows]").replace('WEIGHTS["rows"]', "WEIGHTS[0]"),
        "submission_error",
        "WEIGHTS a dict",
    ),
}


@pytest.mark.parametrize("name", list(BAD))
def test_a_bad_file_has_its_outcome_in_one_sentence(name, sandbox):
    content, outcome, words = BAD[name]
    found = graded(MNIST, content, sandbox)
    assert (found.outcome, found.score) == (outcome, 0.0)
    assert words in found.reason
    assert "\n" not in found.reason
    assert "Traceback" not in found.reason


def test_a_file_that_nests_as_deep_as_it_may_is_followed_to_its_end():
    terms = " + 0" * 70
    chain = "".join(f"    elif k == {i}:\n        k = {i}\n" for i in range(3, 70))
    for text in (
        SUMS.replace("out = []", "out = []" + terms).replace(
            "    w = WEIGHTS\n", f"    w = WEIGHTS\n    k = 7{terms}\n"
        ),
        DIGITS.replace("    profile =", f"    k = 5\n    if k == 1:\n        k = 9\n{chain}    profile ="),
    ):
        for task in tasks.TASKS:
            read = source.read(text.encode())
            scoring.static(read, task)
            for literal in literals.steering(read):
                assert literals.changed(read, literal) != text


def test_an_endless_loop_ends_in_timeout(sandbox):
    text = DIGITS.replace("    profile", "    while True:\n        pass\n    profile")
    assert graded(MNIST, text, sandbox, limits=Limits(seconds=2.0, cpu_seconds=2.0)).outcome == "timeout"


def test_an_endless_loop_on_import_ends_in_timeout_and_breaks_no_rule(sandbox):
    text = "while True:\n    pass\n"
    assert graded(MNIST, text, sandbox, limits=Limits(seconds=2.0, cpu_seconds=2.0)).outcome == "timeout"


OTHERS = {
    "a file that would not run on these inputs": ("addition", SUMS),
    "a file that another task's rules refuse": ("dyck1", DIGITS.replace('"mnist"', '"dyck1"') + "import os\n"),
    "a number for a name": (5, DIGITS.replace('"mnist"', "5")),
}


@pytest.mark.parametrize("name", OTHERS)
def test_a_file_for_another_task_is_told_so_before_anything_else(name, sandbox):
    said, text = OTHERS[name]
    submission = Submission(kind="python-file", files={"net.py": text.encode()})
    assert scoring.check_rules(MNIST, submission, sandbox, Path()) == []
    found = graded(MNIST, text, sandbox)
    assert (found.outcome, found.score) == ("submission_error", 0.0)
    assert found.reason == f"TASK is {said!r}; it has to be 'mnist'."


def test_a_file_whose_text_leaves_its_task_open_is_asked_by_running_it(sandbox):
    text = DIGITS.replace('TASK = "mnist"', 'TASK = "sst2"') + '\n\nif WEIGHTS:\n    TASK = "mn" + "ist"\n'
    assert graded(MNIST, text, sandbox).metrics["accuracy"] > 0.1


def test_what_breaks_no_rule_for_want_of_an_answer_gets_no_score_either(sandbox):
    # At the end of the run the file has all three names; its text shows two, so that no rule looked at it.
    text = DIGITS.replace('TASK = "mnist"', 'vars()["TASK"] = "mnist"')
    submission = Submission(kind="python-file", files={"net.py": text.encode()})
    assert scoring.check_rules(MNIST, submission, sandbox, Path()) == []
    found = graded(MNIST, text, sandbox)
    assert (found.outcome, found.score, found.reason) == ("submission_error", 0.0, "The file defines no TASK.")


def test_names_that_a_star_import_or_a_function_may_bind_keep_a_file_under_the_rules():
    for more in ("from numpy import *\n", "def late():\n    global TASK\n    TASK = 'mnist'\n"):
        read = source.read((more + DIGITS.replace('TASK = "mnist"', "")).encode())
        assert (answering.absent(read), answering.other_task(read, ("dyck1",))) == ("", "")


def test_two_files_are_one_too_many(sandbox):
    submission = Submission(kind="python-file", files={"a.py": b"", "b.py": b""})
    found = scoring.evaluate(MNIST, submission, sandbox, MNIST.limits, Path(), "test")
    assert (found.outcome, "2 files" in found.reason) == ("submission_error", True)


def test_a_file_that_exits_is_a_submission_error(sandbox):
    assert graded(MNIST, "import sys\nsys.exit(0)\n", sandbox).outcome == "submission_error"


def test_a_score_says_what_it_was_measured_on(sandbox):
    found = graded(ADDITION, SUMS, sandbox)
    assert (found.outcome, found.score) == ("solved", 1.0)
    assert found.data == datasets.load("addition", "test", Path()).ref
    assert found.metrics["nonzero"] == 31
    assert found.metrics["accuracy_low"] < 1.0 == found.metrics["accuracy_high"]


def test_without_its_data_a_task_says_how_to_get_it(sandbox, tmp_path):
    found = graded(tasks.BY_SLUG["sst2"], DIGITS, sandbox, folder=tmp_path)
    assert (found.outcome, found.score) == ("needs_data", None)
    assert "bench data fetch sst2" in found.reason


def test_no_label_of_the_test_set_enters_the_worker(sandbox, monkeypatch):
    from handnet_bench import worker

    sent = []
    run = worker.run
    monkeypatch.setattr(worker, "run", lambda *a, **k: (sent.append((a, k)), run(*a, **k))[1])
    graded(MNIST, DIGITS, sandbox)
    [(arguments, _)] = sent
    labels = datasets.load("mnist", "test", Path()).labels
    [inputs] = arguments[2]
    assert inputs.shape == (10000, 28, 28)
    assert not any(isinstance(a, np.ndarray) and a.shape == labels.shape for a in arguments)


def test_what_comes_out_of_a_scoring_holds_aggregates_only(sandbox):
    found = graded(MNIST, DIGITS, sandbox)
    assert found.artifacts == {}
    assert all(isinstance(value, int | float) or value is None for value in found.metrics.values())
    assert found.feedback == ""


def test_the_digits_report_shows_the_matrix_means_and_two_errors_a_class_of_the_same_500_labels(sandbox):
    first, second = (
        graded(MNIST, text, sandbox, split="development") for text in (DIGITS, DIGITS.replace("0.8", "0.9"))
    )
    assert first.labels_seen == second.labels_seen == 500
    assert first.feedback.count("Mean image of the digit") == 10
    assert 10 < first.feedback.count(" that was read as ") <= 20
    assert "Confusion matrix" in first.feedback
    assert first.data.id == "mnist-train-0-500"


def test_the_sentence_report_shows_forty_sentences_at_most(sandbox, sst2_folder):
    text = 'TASK = "sst2"\nWEIGHTS = {"bias": [1]}\ndef predict(s):\n    return [WEIGHTS["bias"][0] for _ in s]\n'
    found = graded(tasks.BY_SLUG["sst2"], text, sandbox, split="development", folder=sst2_folder)
    assert found.labels_seen == 872
    assert sum(line[:3] in ("0  ", "1  ") for line in found.feedback.splitlines()) == 40


@pytest.mark.parametrize(
    ("slug", "words"), [("addition", "No row is wrong."), ("sentiment", "No sentence is misclassified.")]
)
def test_a_report_without_an_error_says_so(slug, words):
    rows = datasets.Split("a set", [["fine"], ["poor"]], [1, 0], "0" * 64, official=False)
    right, wrong = devreport.write(slug, rows, [1, 0]), devreport.write(slug, rows, [1, 1])
    assert right.text == f"Development set: 2 labelled examples, 2 right (100.0%).\n\n{words}\n"
    assert ", the first 1 of 1 (" in wrong.text
    assert words not in wrong.text


def test_rules_run_on_what_can_be_read_and_leave_the_rest_to_the_verdict(sandbox):
    for content in (b"\xff", b"x = 1\n", b"raise ValueError\n"):
        submission = Submission(kind="python-file", files={"net.py": content})
        assert scoring.check_rules(MNIST, submission, sandbox, Path()) == []


def test_a_writer_who_may_revise_is_told_what_broke_and_has_seen_no_label(sandbox):
    found = graded(MNIST, DIGITS.replace("images.sum(axis=2)", "images.sum(axis=7)"), sandbox, split="development")
    assert "There is no report" in found.feedback
    assert "axis" in found.feedback
    assert found.labels_seen == 0


def test_a_file_that_runs_on_the_whole_test_set_only_does_not_escape_the_rules(sandbox):
    text = DIGITS.replace("    profile =", "    images[2 ** 12]\n    profile =")
    submission = Submission(kind="python-file", files={"net.py": text.encode()})
    [found] = scoring.check_rules(MNIST, submission, sandbox, Path())
    assert found.rule == "batch"
    assert "whole test set only" in found.why


@pytest.mark.parametrize(
    "text", [SUMS, SUMS.replace("    w = WEIGHTS", "    while True:\n        pass\n    w = WEIGHTS")]
)
def test_rules_and_verdict_share_the_pass_over_the_whole_test_set(text, sandbox, monkeypatch):
    from handnet_bench import worker

    passes = []
    run = worker.run

    def counted(box, read, calls, **options):
        passes.append([len(call) for call in calls])
        return run(box, read, calls, **options)

    monkeypatch.setattr(worker, "run", counted)
    # Another text for each test run, so that no other test has made the pass already.
    text += "\n# once\n"
    task = msgspec.structs.replace(ADDITION, seconds=3.0)
    submission = Submission(kind="python-file", files={"net.py": text.encode()})
    assert scoring.check_rules(task, submission, sandbox, Path()) == []
    found = scoring.evaluate(task, submission, sandbox, task.limits, Path(), "test")
    assert found.outcome == ("solved" if "while True" not in text else "timeout")
    assert passes.count([2000]) == 1
