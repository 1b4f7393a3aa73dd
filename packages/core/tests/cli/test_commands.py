"""The commands as a person or a machine meets them: what is said, where, and with which exit code."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import msgspec
import pytest
from benchwright.journal import read_attempts
from benchwright.records import Attempt

Bench = Callable[..., "CompletedProcess[str]"]
NO_MLFLOW = "--no-mlflow"


def sentence(done: "CompletedProcess[str]") -> str:
    """What was said on standard error: one sentence, no traceback."""
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    return done.stderr.strip()


def test_a_run_ends_with_a_table_a_report_and_exit_code_0(bench: Bench, here: Path) -> None:
    done = bench("run", "--suite", "sums", NO_MLFLOW)
    assert done.returncode == 0, done.stderr
    assert "running `reference`, the control" in done.stdout
    assert "Plan: 1 suite, 10 tasks x 1 model x 1 draw = 10 attempts, no paid calls." in done.stdout
    assert "10/10" in done.stdout
    assert "0.72 to 1.00" in done.stdout
    [run] = (here / "runs").iterdir()
    assert (run / "report.html").exists()
    assert str(run / "report.html") in done.stdout


def test_what_a_suite_is_run_for_stands_at_the_end_of_the_run_as_it_does_in_the_report(bench: Bench) -> None:
    few = bench("run", "--tasks", "trials/solved", "--tasks", "trials/timeout", "--out", "few", NO_MLFLOW).stdout
    assert "Every end\n  task            end\n" in few
    assert "\n  trials/timeout  timeout\n" in few
    assert "Why this is measured." not in few
    assert "For the report alone" not in few
    told = bench("report", "few").stdout
    assert "Every end\n  Why this is measured.\n  task            end\n" in told
    assert "For the report alone" in told
    many = bench("run", "--tasks", "trials/solved", "--draws", 17, "--out", "many", NO_MLFLOW).stdout
    assert "Every end\n  17 rows; `bench report many` shows them.\n" in many
    assert bench("report", "many").stdout.splitlines().count("  trials/solved  solved") == 17


def test_the_starter_solves_nothing_and_that_is_no_error(bench: Bench) -> None:
    done = bench("run", "--suite", "sums", "--model", "starter", NO_MLFLOW)
    assert done.returncode == 0
    assert "0/10" in done.stdout


def test_two_models_are_compared_and_the_design_is_judged(bench: Bench) -> None:
    done = bench("run", "--suite", "sums", "--model", "reference", "--model", "starter", NO_MLFLOW)
    assert done.returncode == 0, done.stderr
    assert "reference minus starter: +1.00" in done.stdout
    assert "The two differ." in done.stdout
    assert "Smallest difference this design would have found: " in done.stdout


def test_on_a_terminal_there_are_bars_and_the_same_table(here: Path) -> None:
    import os
    import pty
    import subprocess
    import sys

    mine, theirs = pty.openpty()
    done = subprocess.Popen(
        [sys.executable, "-m", "benchwright", "run", "--suite", "sums", NO_MLFLOW],
        cwd=here,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "120"},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    shown = b""
    try:
        while part := os.read(mine, 65536):
            shown += part
    except OSError:
        pass  # the other end is closed: the command has ended
    os.close(mine)
    assert done.wait() == 0
    text = shown.decode()
    assert "━" in text
    assert "10/10 · 10 solved" in text
    assert "0.72 to 1.00" in text


def test_what_is_left_out_is_told_with_the_way_to_add_it(bench: Bench) -> None:
    done = bench("run", "--suite", "trials", NO_MLFLOW)
    assert "Left out: 1 task in need of module:no_such_module. To add: pip install no_such_module" in done.stdout


def test_an_attempt_that_the_harness_broke_is_told_and_ends_in_1(bench: Bench) -> None:
    done = bench("run", "--tasks", "trials/harness_error", NO_MLFLOW)
    assert done.returncode == 1
    assert (
        "1 attempt ended in harness error; the first, trials/harness_error: RuntimeError: the benchmark broke"
        in done.stdout
    )


def test_json_of_a_run_is_one_line_on_standard_output_and_words_are_elsewhere(bench: Bench) -> None:
    done = bench("run", "--suite", "sums", "--json", NO_MLFLOW)
    [line] = done.stdout.splitlines()
    given = json.loads(line)
    assert (given["status"], given["attempts"], given["exit_code"]) == ("finished", 10, 0)
    assert "Plan:" in done.stderr


def test_a_dry_run_writes_nothing(bench: Bench, here: Path) -> None:
    done = bench("run", "--suite", "sums", "--dry-run", "--draws", "3")
    assert done.returncode == 0
    assert "30" in done.stdout
    assert not (here / "runs").exists()


def test_a_shuffled_run_says_its_seed_and_runs_the_same_tasks(bench: Bench, here: Path) -> None:
    done = bench("run", "--suite", "sums", "--shuffle", "--seed", "5", NO_MLFLOW)
    assert "Shuffled with seed 5." in done.stdout
    [run] = (here / "runs").iterdir()
    assert json.loads((run / "manifest.json").read_text())["sessions"][0]["shuffle"] == 5
    assert len({attempt.task.id for attempt in read_attempts(run)}) == 10


def test_score_prints_the_attempts_line_last(bench: Bench, here: Path) -> None:
    (here / "mine.json").write_text('{"sum": 6}')
    done = bench("score", "sums/n3", "mine.json", "--json", "--model", "me", "--note", "first try")
    assert done.returncode == 0, done.stderr
    attempt = msgspec.json.decode(done.stdout.splitlines()[-1], type=Attempt)
    assert (attempt.outcome, attempt.model.name, attempt.notes["note"]) == ("solved", "me", "first try")
    [run] = (here / "runs").iterdir()
    assert read_attempts(run) == (attempt,)


def test_score_takes_one_file_of_any_name_and_several_by_name(bench: Bench, here: Path) -> None:
    (here / "whatever.py").write_text("value = 7\n")
    (here / "folder").mkdir()
    (here / "folder" / "answer.py").write_text("value = 7\n")
    assert "solved" in bench("score", "trials/file", "whatever.py").stdout
    assert "solved" in bench("score", "trials/file", "folder").stdout
    two = bench("score", "trials/file", "whatever.py", "folder/answer.py")
    assert "unsolved" in two.stdout  # the files by name are handed in as they are
    refused = bench("score", "sums/n1", "whatever.py", "folder/answer.py")
    assert refused.returncode == 2
    assert "takes one JSON answer, and 2 files were given" in sentence(refused)


@pytest.mark.parametrize(
    "content",
    [
        "",
        "no json",
        '{"sum": 6} {"sum": 7}',
        '{"sum": NaN}',
        '{"sum": 1e999999999}',
        '{"sum": 1, "sum": 2}',
        "[" * 100_000,
    ],
    ids=["empty", "prose", "two", "nan", "huge", "twice", "deep"],
)
def test_a_malformed_answer_is_an_outcome_of_the_attempt(content: str, bench: Bench, here: Path) -> None:
    (here / "bad.json").write_text(content)
    done = bench("score", "sums/n3", "bad.json", "--json")
    assert done.returncode == 0, done.stderr
    attempt = msgspec.json.decode(done.stdout.splitlines()[-1], type=Attempt)
    assert (attempt.outcome, attempt.parse_failure) == ("no_submission", True)
    assert attempt.reason


def test_a_development_report_is_shown_and_nothing_is_written(bench: Bench, here: Path) -> None:
    (here / "a.json").write_text('{"value": 3}')
    done = bench("devreport", "trials/revise", "a.json")
    assert "3 is too low" in done.stdout
    assert "1 label shown" in done.stdout
    assert not (here / "runs").exists()


def test_prompt_shows_exactly_what_is_sent(bench: Bench, here: Path) -> None:
    shown = bench("prompt", "sums/n3").stdout
    assert "the sum of 3 and 3" in shown
    assert "fenced with ```json" in shown
    given = json.loads(bench("prompt", "sums/n3", "--json").stdout)
    bench("run", "--tasks", "sums/n3", NO_MLFLOW)
    [run] = (here / "runs").iterdir()
    [attempt] = read_attempts(run)
    assert given["prompt_digest"] == attempt.task.prompt_digest
    assert given["messages"][0]["text"] == (run / "sums/n3/reference/draw-01/turn-01/message.txt").read_text()


def test_list_shows_tasks_and_parameters(bench: Bench) -> None:
    assert "sums/n9" in bench("list", "--suite", "sums").stdout
    assert len(json.loads(bench("list", "--suite", "sums", "-P", "sums.num_tasks=3", "--json").stdout)) == 3
    [line] = [line for line in bench("list", "--params").stdout.splitlines() if line.startswith("sums.num_tasks")]
    assert line.split()[1:4] == ["10", "1", "100,000"]


def test_a_wait_of_less_than_a_second_is_no_wait_of_none(capsys: pytest.CaptureFixture[str]) -> None:
    from benchwright.cli.output import Output
    from benchwright.cli.watching import Lines

    Lines(Output(False)).waiting("anthropic/x", "429", 0.3)
    assert capsys.readouterr().out == "anthropic/x: waiting for the provider (429, 1 s)\n"


def test_report_reads_a_run_back(bench: Bench, here: Path) -> None:
    bench("run", "--suite", "trials", NO_MLFLOW)
    assert "trials" in bench("report").stdout
    told = bench("report", "--task", "trials/unsolved").stdout
    assert "0/1 solved" in told
    assert "1x  unsolved: second" in told
    rows = json.loads(bench("report", "--json").stdout)["rows"]
    assert rows[0]["model"] == "reference"


def test_regrade_tells_what_became_of_each_verdict(bench: Bench, here: Path) -> None:
    bench("run", "--tasks", "trials/*solved", NO_MLFLOW)
    done = bench("regrade", env={"TRIALS_MENDED": "1"})
    assert done.returncode == 0, done.stderr
    assert "2 attempts graded again, 1 with another verdict." in done.stdout
    assert "unsolved 0.500" in done.stdout


def test_validate_proves_references_and_starters(bench: Bench) -> None:
    done = bench("validate", "--suite", "sums")
    assert (done.returncode, "10 tasks proven" in done.stdout) == (0, True)
    broken = bench("validate", "--tasks", "trials/unsolved")
    assert broken.returncode == 1
    assert "trials/unsolved: the reference is unsolved" in broken.stdout


def test_plugins_and_doctor_tell_what_is_installed(bench: Bench) -> None:
    told = bench("plugins").stdout
    assert "sums" in told
    assert "unregistered: it runs, and stays off the boards" in told
    done = bench("doctor")
    assert done.returncode == 0, done.stderr
    assert "module:no_such_module" in done.stdout
    assert "pip install no_such_module" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("run", "--suite", "sum"), "No suite `sum`. Did you mean `sums`? Installed: "),
        (("run", "--tasks", "sums/nn"), "No task matches `sums/nn`. Did you mean `sums/n"),
        (("run", "--suite", "sums", "--model", "referense"), "No provider `referense` (in --model referense). Did you mean `reference`?"),
        (("run", "--suite", "sums", "--model", "reference", "--model", "reference"), "--model reference is named twice"),
        (("run", "--suite", "sums", "--draws", "0"), "--draws 0: at least one draw"),
        (("run", "--suite", "sums", "-P", "sums.tasks=3"), "`sums` has no parameter `tasks`. Did you mean `num_tasks`?"),
        (("run", "--suite", "sums", "-P", "sums.num_tasks=many"), "-P sums.num_tasks=many: expected a whole number"),
        (("run", "--suite", "sums", "-P", "num_tasks=3"), "-P num_tasks=3: expected <benchmark>.<parameter>=<value>"),
        (("run", "--suite", "sums", "--seed", "3"), "--seed is the seed of --shuffle"),
        (("run", "--suite", "sums", "--model", "file:absent"), "absent: cannot be read: No such file"),
        (("run", "--suite", "sums", "--model", "replay:absent"), "No run `absent`"),
        (("run", "--suite", "sums", "--registry", "absent.yaml"), "absent.yaml: cannot be read"),
        (("run", "--suite", "sums", "--out", "/proc/bench"), "/proc/bench"),
        (("score", "sums/n99", "x"), "No task `sums/n99`. Did you mean `sums/n9`?"),
        (("score", "summs/n9", "x"), "No benchmark `summs` is installed. Did you mean `sums`?"),
        (("score", "sums", "x"), "`sums` is not a task id"),
        (("score", "sums/n9", "absent.json"), "absent.json: cannot be read"),
        (("prompt", "sums/n_9"), "No task `sums/n_9`."),
        (("report",), "There is no run in"),
        (("report", "absent"), "No run `absent`."),
        (("regrade", "absent"), "No run `absent`."),
        (("run", "--draws", "99999999999999999999999"), "at most 1,000,000 draws"),
        (("run", "--shuffle", "--seed", "99999999999999999999999"), "'--seed'"),
        (("run", "--max-cost", "nan"), "'--max-cost': nan is no finite number"),
        (("run", "--max-time", "inf"), "'--max-time': inf is no finite number"),
        (("run", "--call-seconds", "nan"), "'--call-seconds': nan is no finite number"),
        (("run", "--call-seconds", "0"), "'--call-seconds'"),
        (("run", "--output-cap", "0"), "'--output-cap'"),
        (("run", "--out", ""), "'--out': a path is expected, and the text is empty"),
        (("run", "--registry", ""), "'--registry': a path is expected"),
        (("run", "--model", "file:a\nb"), "holds the character '\\n'"),
        (("run", "--tasks", "sums/q"), "No task matches `sums/q`.\n"),
        (("report", ""), "No run ``."),
        (("score", "sums/n9", "/dev/zero"), "/dev/zero: is no regular file but a pipe or a device"),
        (("plugins", "--registry", "/dev/zero"), "/dev/zero: is no regular file but a pipe or a device"),
    ],
    ids=lambda value: " ".join(value)[:50] if isinstance(value, tuple) else "",
)  # fmt: skip
def test_a_slip_is_one_sentence_and_exit_code_2(arguments: tuple[str, ...], expected: str, bench: Bench) -> None:
    done = bench(*arguments)
    assert done.returncode == 2, done.stdout + done.stderr
    assert expected in done.stderr
    if arguments[0] != "run":
        sentence(done)
    assert "Traceback" not in done.stderr


def test_a_file_that_is_too_large_is_refused_with_its_size_and_the_commands_own_limit(bench: Bench, here: Path) -> None:
    with open(here / "large.json", "wb") as file:
        file.truncate(102_000_000)
    for command in ("score", "devreport"):
        done = bench(command, "sums/n1", "large.json")
        assert done.returncode == 2
        said = "large.json: is 102,000,000 bytes long, and this command reads files of at most 67,108,864."
        assert sentence(done) == said


def test_a_pipe_is_refused_and_not_waited_for(bench: Bench, here: Path) -> None:
    os.mkfifo(here / "pipe")
    for arguments in (
        ("score", "sums/n9", "pipe"),
        ("run", "--tasks", "sums/n9", "--model", "file:pipe"),
        ("list", "--registry", "pipe"),
    ):
        done = bench(*arguments)
        assert done.returncode == 2, arguments
        assert done.stderr.startswith("pipe: is no regular file"), done.stderr


def test_a_name_that_no_table_can_show_is_refused(bench: Bench, here: Path) -> None:
    (here / "answer.json").write_text("{}")
    done = bench("score", "sums/n9", "answer.json", "--model", "me\x1b[2J")
    assert (done.returncode, "holds the character '\\x1b'" in done.stderr) == (2, True), done.stderr


def test_nothing_that_a_submission_says_drives_the_terminal() -> None:
    from benchwright.cli.output import shown

    said = "red \x1b[31m, gone \x9b2J, back\r, bell \x07, half \ud800, turned \u202e\n\tkept: · … é"
    assert shown(said) == (
        "red \\u001b[31m, gone \\u009b2J, back\\u000d, bell \\u0007, half \\ud800, turned \\u202e\n\tkept: · … é"
    )


def test_a_terminal_that_cannot_show_a_letter_is_no_failure(bench: Bench) -> None:
    done = bench("run", "--suite", "sums", NO_MLFLOW, env={"PYTHONIOENCODING": "iso8859-5"})
    assert done.returncode == 0, done.stderr
    assert "10/10 \\xb7 10 solved" in done.stdout


def test_a_slip_is_told_alone(bench: Bench) -> None:
    assert bench("run", "--suite", "sum").stdout == ""


def test_a_report_that_cannot_be_written_is_a_sentence_and_the_run_is_kept(bench: Bench, here: Path) -> None:
    (here / "one" / "report.html.tmp").mkdir(parents=True)
    (here / "one" / "report.html.tmp").rmdir()
    assert bench("run", "--suite", "sums", "--out", "one", NO_MLFLOW).returncode == 0
    (here / "one" / "report.html.tmp").mkdir()
    done = bench("report", "one", "--html")
    assert (done.returncode, "one/report.html" in done.stderr) == (2, True)
    sentence(done)


@pytest.mark.skipif(shutil.which("prlimit") is None, reason="prlimit (util-linux) stands in for a full disk")
def test_a_disk_with_no_byte_left_is_a_sentence_for_every_command_that_writes(here: Path) -> None:
    (here / "answer.json").write_text("{}")
    for arguments in (("run", "--suite", "sums"), ("score", "sums/n9", "answer.json")):
        full = ["prlimit", "--fsize=0", sys.executable, "-m", "benchwright", *arguments]
        done = subprocess.run(full, cwd=here, capture_output=True, text=True, check=False, env=os.environ)
        assert done.returncode == 2, done.stderr
        assert "no space left to write" in done.stderr
        sentence(done)


@pytest.mark.parametrize("damage", ["cut", "torn", "changed", "garbage", "gone"])
def test_no_command_takes_a_run_that_was_damaged_since_it_was_finished_for_whole(
    damage: str, bench: Bench, here: Path
) -> None:
    assert bench("run", "--suite", "sums", "--out", "whole", NO_MLFLOW).returncode == 0
    shutil.copytree(here / "whole", here / "broken")
    path = here / "broken" / "attempts.jsonl"
    content = path.read_bytes()
    first = content.index(b"\n") + 1
    path.write_bytes(
        {
            "cut": content[:first],
            "torn": content[:-20],
            "changed": content.replace(b'"solved"', b'"refused"', 1),
            "garbage": os.urandom(200),
            "gone": b"",
        }[damage]
    )
    if damage == "gone":
        path.unlink()
    said = "names it: the run was finished" if damage == "gone" else "is not the file that manifest.json names"
    for arguments in (
        ("report", "broken"),
        ("report", "broken", "--html"),
        ("costs", "broken"),
        ("compare", "broken", "whole"),
        ("regrade", "broken"),
        ("sync", "broken"),
        ("run", "--suite", "sums", "--model", "replay:broken", NO_MLFLOW),
    ):
        done = bench(*arguments)
        assert done.returncode == 2, (arguments, done.stdout, done.stderr)
        assert "broken/attempts.jsonl: " in done.stderr
        assert said in done.stderr
        sentence(done)
    assert not list((here / "broken").glob("regraded-*"))


ALTERED = {
    "a verdict that was edited": (
        "*/evaluation.json",
        lambda path: path.write_text(path.read_text().replace("solved", "refused")),
    ),
    "a verdict that is lost": ("*/evaluation.json", lambda path: path.unlink()),
    "the record of an attempt": ("*/state.json", lambda path: path.write_text("{}")),
    "a submission": ("*/answer.json", lambda path: path.write_text('{"sum": 5}')),
    "a turn": ("*/message.txt", lambda path: path.write_bytes(path.read_bytes() + b"more")),
}


@pytest.mark.parametrize("what", ALTERED)
def test_every_command_that_reads_a_run_says_which_file_was_altered(what: str, bench: Bench, here: Path) -> None:
    bench("run", "--tasks", "sums/n1", "--tasks", "sums/n2", "--out", "one", NO_MLFLOW)
    for command in ("report", "costs"):
        whole = bench(command, "one")
        assert (whole.returncode, whole.stderr) == (0, "")
    name, change = ALTERED[what]
    [path, _] = sorted((here / "one").rglob(name))
    change(path)
    how = "cannot be read: No such file or directory" if "lost" in what else "has a different hash"
    for command in ("report", "costs", "regrade"):
        done = bench(command, "one")
        assert done.returncode == 2, command
        assert sentence(done) == (
            f"{path.relative_to(here)} {how}: the run folder is not as its record says, so it was changed or damaged since it "
            "was written. Put a whole copy of it back; `bench logs check one` (package benchwright-logs) names every file."
        )
        assert (done.stdout == "") == (command == "regrade")
    assert not list((here / "one").glob("regraded-*"))


def test_several_altered_files_are_counted_once_each_and_what_a_redacted_copy_withholds_is_not_lost(
    bench: Bench, here: Path
) -> None:
    bench("run", "--tasks", "sums/n1", "--out", "one", NO_MLFLOW)
    [answer], [verdict] = (here / "one").rglob("answer.json"), (here / "one").rglob("evaluation.json")
    answer.rename(f"{answer}.withheld.json")
    assert bench("report", "one").returncode == 0
    verdict.write_text("{}")
    assert "evaluation.json has a different hash: " in sentence(bench("report", "one"))
    answer.write_text("{}")
    assert "has a different hash (and 1 more file): " in sentence(bench("report", "one"))


def test_a_record_of_an_attempt_that_is_none_is_a_sentence(bench: Bench, here: Path) -> None:
    from benchwright.digests import sha256

    bench("run", "--tasks", "sums/n1", "--out", "one", NO_MLFLOW)
    [state], lines, manifest = (
        (here / "one").rglob("state.json"),
        here / "one" / "attempts.jsonl",
        here / "one" / "manifest.json",
    )
    was = sha256(state.read_bytes())
    state.write_text("{}")
    lines.write_text(lines.read_text().replace(was, sha256(b"{}")))
    manifest.write_text(json.dumps({**json.loads(manifest.read_text()), "status": "running"}))
    assert sentence(bench("report", "one")).startswith("a state.json in one is no record of an attempt: ")


def test_a_run_that_is_not_finished_is_read_though_its_list_grew(bench: Bench, here: Path) -> None:
    assert bench("run", "--suite", "sums", "--out", "one", NO_MLFLOW).returncode == 0
    manifest, path = here / "one" / "manifest.json", here / "one" / "attempts.jsonl"
    for status in ("running", "interrupted"):
        manifest.write_text(json.dumps({**json.loads(manifest.read_text()), "status": status}))
        path.write_bytes(path.read_bytes()[:-5])
        done = bench("report", "one")
        assert (done.returncode, "9/9" in done.stdout) == (0, True), done.stderr


def test_a_regraded_run_is_read_like_any_and_refused_when_damaged(bench: Bench, here: Path) -> None:
    bench("run", "--suite", "sums", "--out", "one", NO_MLFLOW)
    assert bench("regrade", "one").returncode == 0
    assert bench("report", "one/regraded-01").returncode == 0
    path = here / "one" / "regraded-01" / "attempts.jsonl"
    path.write_bytes(path.read_bytes()[:-5])
    done = bench("report", "one/regraded-01")
    assert (done.returncode, "is not the file that manifest.json names" in sentence(done)) == (2, True)
    assert bench("report", "one").returncode == 0


def test_a_misspelt_command_or_option_gets_the_nearest_name(bench: Bench) -> None:
    done = bench("rum")
    assert done.returncode == 2
    assert "Did you mean `run`?" in done.stderr
    assert bench("run", "--suit", "sums").returncode == 2


def test_a_broken_registry_is_one_sentence_with_the_line(bench: Bench, here: Path) -> None:
    (here / "registry.yaml").write_text("schema: 1\npublishers: []\nbenchmarks: []\nsuites: []\nsweets: []\n")
    done = bench("run", "--suite", "sums", NO_MLFLOW)
    assert done.returncode == 2
    assert "registry.yaml:5: unknown key `sweets`" in done.stderr


def test_a_path_of_the_wrong_kind_is_one_sentence_for_every_command(bench: Bench, here: Path) -> None:
    (here / "file.json").write_text("{}")
    (here / "empty").mkdir()
    for arguments, expected in (
        (("leaderboard", "calibration", "--board", "absent"), "absent is no leaderboard: it has no folder `attempts`."),
        (("leaderboard", "calibration", "--board", "empty"), "empty is no leaderboard: it has no folder `attempts`."),
        (("doctor", "--registry", "absent.yaml"), "absent.yaml: cannot be read"),
        (("doctor", "--registry", "empty"), "empty: "),
        (("sync", "absent"), "Directory 'absent' does not exist."),
        (("registry", "check", "--registry", "absent.yaml"), "File 'absent.yaml' does not exist."),
        (("import", "every-eval-ever", "absent.json"), "absent.json: is not there"),
    ):
        done = bench(*arguments)
        assert done.returncode == 2, (arguments, done.stdout, done.stderr)
        assert expected in sentence(done), arguments


def test_a_path_below_a_file_ends_in_one_sentence(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from benchwright.cli import _ending

    (here / "file.json").write_text("{}")
    for work in (
        lambda: (here / "file.json" / "x").mkdir(),
        lambda: (here / "absent" / "x.yaml").write_text(""),
        lambda: here.write_text(""),
    ):
        assert _ending(work) == 2
        [said] = capsys.readouterr().err.splitlines()
        assert str(here) in said


def test_a_revision_of_a_run_with_a_broken_manifest_says_so(bench: Bench, here: Path) -> None:
    (here / "a.json").write_text('{"value": 3}')
    assert bench("score", "trials/revise", "a.json", "--out", "c1").returncode == 0
    (here / "c1" / "manifest.json").write_text("{")
    done = bench("score", "trials/revise", "a.json", "--revision-of", "c1")
    assert (done.returncode, "c1/manifest.json: is not a manifest" in sentence(done)) == (2, True)


def test_a_column_of_sentences_that_begin_with_numbers_is_aligned_to_the_left() -> None:
    from benchwright.cli.output import aligned

    told = aligned(("task", "why", "solved"), [("t", "3 of 4 draws solved it, which is enough", "0.72 to 1.00")])
    head, row = told.splitlines()
    assert head.index("why") == row.index("3 of 4")
    assert head.endswith("solved")
    assert len(head) == len(row)


def test_a_run_that_is_not_named_is_the_one_begun_or_continued_last(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from benchwright.cli.options import find_run

    runs = here / "runs"
    for name, began in (
        ("20260101-100000-aaaa", ["2026-01-01T10:00:00.5+00:00", "2026-01-01T12:00:00.5+00:00"]),
        ("20260101-110000-bbbb", ["2026-01-01T11:00:00.5+00:00"]),
        ("20260101-113000-cccc", None),
    ):
        (runs / name).mkdir(parents=True)
        if began is not None:
            (runs / name / "manifest.json").write_text(json.dumps({"sessions": [{"started": each} for each in began]}))
    assert find_run(None).name == "20260101-100000-aaaa"
    (runs / "20260101-100000-aaaa" / "manifest.json").write_text("{")
    assert find_run(None).name == "20260101-113000-cccc"
