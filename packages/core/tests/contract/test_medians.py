"""The tutorial's benchmark of code: hidden tests, a reference, a starter, a rule, and a digest that covers them all."""

import json
import re
import shutil

import pytest
from benchwright.sandbox import SubmissionError, ids, source


def scored(bench, here, text):
    (here / "mine.py").write_text(text)
    done = bench("score", "medians/median", "mine.py", "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def digest(bench):
    return json.loads(bench("prompt", "medians/median", "--json").stdout)["digest"]


def test_the_reference_solves_it_the_starter_does_not_and_nothing_else_is_found(medians, bench):
    done = bench("validate", "--suite", "medians")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 task proven: the reference solves each, the starter none." in done.stdout
    assert "digest" not in done.stdout


def test_a_submission_ends_as_its_tests_and_its_rule_say(medians, bench, here):
    right = (medians / "median" / "reference" / "median.py").read_text()
    assert scored(bench, here, right)["outcome"] == "solved"
    in_place = right.replace("ordered = sorted(numbers)", "numbers.sort()\n    ordered = numbers")
    assert scored(bench, here, in_place)["failed_checks"] == ["test_median.py::test_the_list_stays_as_it_is"]
    rule = scored(bench, here, "from statistics import median\n")
    assert (rule["outcome"], rule["violations"][0]["where"]) == ("rule_violation", "median.py:1")


def test_a_submission_that_python_cannot_parse_is_its_own_error_and_not_the_rules(medians, bench, here):
    attempt = scored(bench, here, "x = 1\ndef median(numbers:\n")
    assert attempt["outcome"] == "submission_error"
    assert attempt["reason"].startswith("median.py cannot be parsed: SyntaxError: line 2: ")


@pytest.mark.parametrize("data", [b"x = (", b"x = 1\0", b"# coding: nonsense\n", b"\xff = 1", b"-" * 200_000 + b"1"])
def test_whatever_python_cannot_parse_is_an_error_of_the_submission(data):
    with pytest.raises(SubmissionError, match=r"sub\.py cannot be parsed: \w+Error: \w"):
        source.parsed(data, "sub.py")


def test_what_decides_the_verdict_is_in_the_digest(medians, bench):
    seen = {digest(bench)}
    for name in ("hidden_tests/test_median.py", "expected_ids.txt", "drivers.py", "reference/median.py"):
        path = medians / "median" / name
        path.write_text(path.read_text() + "# changed\n")
        seen.add(digest(bench))
    assert len(seen) == 5


def test_validate_names_the_files_of_hidden_tests_that_the_digest_leaves_out(medians, bench):
    plugin = medians / "__init__.py"
    plugin.write_text(re.sub(r"        # Whatever.*?\n        },\n", "", plugin.read_text(), flags=re.DOTALL))
    done = bench("validate", "--suite", "medians")
    assert done.returncode == 0, done.stdout + done.stderr
    assert (
        "can change and leave its digest as it is (expected_ids.txt, drivers.py, hidden_tests/test_median.py): "
        "name their bytes in `Task.single(parts=…)`." in done.stdout
    )
    [proof] = map(json.loads, bench("validate", "--suite", "medians", "--json").stdout.splitlines())
    assert len(proof["notes"]) == 1


def test_where_nothing_is_proven_nothing_is_said_of_references(medians, bench):
    path = medians / "median" / "hidden_tests" / "test_median.py"
    path.write_text(path.read_text().replace("2.5", "2.6"))
    done = bench("validate", "--suite", "medians")
    assert done.returncode == 1
    assert "0 tasks proven. 1 task not proven." in done.stdout


def test_the_list_of_ids_is_written_from_a_reference_and_a_slip_is_a_sentence(medians, tmp_path, capsys):
    folder = medians / "median"
    was = (folder / "expected_ids.txt").read_text()
    (folder / "expected_ids.txt").unlink()
    shutil.copy(folder / "reference" / "median.py", tmp_path / "ref.py")
    assert ids.main([str(folder), str(tmp_path / "ref.py")]) == 1
    assert "Of the files given, ref.py, none is named median.py" in capsys.readouterr().err
    assert ids.main([str(folder), str(tmp_path / "absent.py")]) == 2
    assert "absent.py: cannot be read (No such file or directory)." in capsys.readouterr().err
    assert ids.main([str(tmp_path), str(tmp_path / "ref.py")]) == 2
    assert "is no task folder" in capsys.readouterr().err
    assert ids.main([str(folder), str(folder / "reference" / "median.py")]) == 0
    assert (folder / "expected_ids.txt").read_text() == was


def test_a_validate_hook_that_fails_is_named_with_its_line(medians, bench):
    plugin = medians / "__init__.py"
    plugin.write_text(plugin.read_text() + "\n\n@hookimpl\ndef validate(ctx):\n    raise KeyError('nothing there')\n")
    line = len(plugin.read_text().splitlines())
    done = bench("validate", "--suite", "medians")
    assert done.returncode == 1
    assert "medians/median: the hook `validate` of medians 0.1.0 failed: KeyError: 'nothing there' (" in done.stdout
    assert f"__init__.py, line {line})" in done.stdout
    assert "Traceback" not in done.stderr
