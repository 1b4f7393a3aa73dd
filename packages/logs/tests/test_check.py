"""A log is complete, or a sentence says what is not."""

import json
import os
import shutil

import log_runs as l
import pytest
from benchwright import Message
from benchwright.digests import prompt_digest
from benchwright.errors import UserError
from benchwright_logs.check import check, derives


def told(run):
    """What `check` says, as sentences; a run that cannot be read at all is one."""
    try:
        return check(run).problems
    except UserError as error:
        return [str(error)]


@pytest.mark.parametrize("name", [*l.PROTOCOLS, "single", "single-anthropic", "single-openai-compatible"])
def test_a_run_as_it_was_written_is_complete(made, name):
    found = check(made(name))
    assert found.problems == ()
    assert found.attempts == len(l.attempts(made(name)))
    assert found.numbers > 10 * found.attempts


@pytest.mark.parametrize("name", l.PROTOCOLS)
def test_every_file_that_is_lost_is_named(made, tmp_path, name):
    files = sorted(p.relative_to(made(name)) for p in made(name).rglob("*") if p.is_file() and p.name != ".lock")
    for file in [file for file in files if file.parts[0] not in ("manifest.json", "attempts.jsonl")][:14]:
        shutil.copytree(made(name), tmp_path / "run")
        (tmp_path / "run" / file).unlink()
        assert any(str(file) in problem for problem in check(tmp_path / "run").problems), file
        shutil.rmtree(tmp_path / "run")


def test_every_changed_byte_is_found(made, tmp_path):
    files = [p.relative_to(made("tools")) for p in made("tools").rglob("*") if p.is_file() and p.name != ".lock"]
    shutil.copytree(made("tools"), tmp_path / "run")
    for file in files:
        path = tmp_path / "run" / file
        content = path.read_bytes()
        path.write_bytes(content[:-2] + bytes([content[-2] ^ 1]) + content[-1:])
        assert told(tmp_path / "run"), file
        path.write_bytes(content)
    assert check(tmp_path / "run").problems == ()


LIES = {
    "outcome": lambda line: line.update(outcome="unsolved"),
    "score": lambda line: line.update(score=0.5),
    "metrics": lambda line: line["metrics"].update(more=1),
    "failed checks": lambda line: line["failed_checks"].append("test_x"),
    "violations": lambda line: line["violations"].append({"rule": "r", "where": "x", "why": "y"}),
    "device": lambda line: line.update(device="some accelerator"),
    "data": lambda line: line.update(data={"id": "d", "sha256": "x", "n": 1, "official": True}),
    "reason": lambda line: line.update(reason="because"),
    "tokens": lambda line: line["usage"].update(output=1),
    "calls": lambda line: line.update(calls=7),
    "the model that answered": lambda line: line["model"].update(answered="another"),
    "cost": lambda line: line.update(cost_usd=1.0),
    "round 1: score": lambda line: line["rounds"][0].update(score=0.25),
    "round 1: solved": lambda line: line["rounds"][0].update(solved=False),
    "prompt digest": lambda line: line["task"].update(prompt_digest="sha256:" + "0" * 64),
    "passes": lambda line: line["protocol"].update(passes=3),
    "a turn beyond": lambda line: line["protocol"].update(turns=line["protocol"]["turns"] - 1),
    "of another run": lambda line: line.update(run="20260101-000000-0000"),
    "not the one that": lambda line: line["task"].update(digest="bw1:" + "0" * 64),
}


@pytest.mark.parametrize("what", LIES)
def test_every_number_that_does_not_follow_is_found_though_all_hashes_hold(run, what):
    folder = run("tools")
    l.change_line(folder, LIES[what])
    l.rehash(folder)
    problems = check(folder).problems
    assert any(what in problem for problem in problems), problems


def test_labels_seen_that_fall_from_round_to_round_are_found(run):
    folder = run("revise")
    assert [done["labels_seen"] for done in l.attempts(folder)[0]["rounds"]] == [0, 1, 2]
    l.change_line(folder, lambda line: line["rounds"][1].update(labels_seen=9))
    l.rehash(folder)
    assert any("labels seen" in problem for problem in check(folder).problems)


def test_a_prompt_that_was_changed_is_found_though_all_hashes_hold(run):
    folder = run("single-anthropic")
    path = l.places(folder)[0] / "turn-01" / "message.txt"
    path.write_text(path.read_text().replace("sum", "product"))
    l.rehash(folder)
    assert any("prompt digest" in problem and "message.txt" in problem for problem in check(folder).problems)


def test_an_attempt_that_was_left_out_is_missed(run):
    folder = run("single-openai")
    lines = (folder / "attempts.jsonl").read_text().splitlines(keepends=True)
    (folder / "attempts.jsonl").write_text("".join(lines[1:]))
    assert any("1 planned attempt not there" in problem for problem in check(folder).problems)


def test_an_attempt_id_of_another_plan_is_found(run):
    folder = run("single")
    l.change_json(folder / "manifest.json", lambda value: value["plan"].update(draws=2))
    assert any("plan has another digest" in problem for problem in check(folder).problems)


def test_a_report_that_was_made_again_is_no_change_of_the_record(run):
    folder = run("single")
    # As runs of earlier versions list it.
    l.change_json(folder / "manifest.json", lambda value: value["files"].update({"report.html": "sha256:" + "0" * 64}))
    (folder / "report.html").write_text("made again")
    assert check(folder).problems == ()


def test_a_file_that_no_record_names_is_told(run):
    folder = run("single")
    (l.places(folder)[0] / "eval" / "more.txt").write_text("x")
    assert any("eval/more.txt: no record names this file" in problem for problem in check(folder).problems)


def test_links_are_told_and_never_followed(run, tmp_path):
    folder = run("single")
    (tmp_path / "outside").write_text("secret")
    target = l.places(folder)[0] / "submission" / "answer.json"
    target.unlink()
    os.symlink(tmp_path / "outside", target)
    os.symlink(tmp_path, folder / "elsewhere")
    problems = check(folder).problems
    assert any("answer.json is a link" in problem for problem in problems)
    assert any("elsewhere is a link" in problem for problem in problems)
    assert not any("outside" in problem for problem in problems)


@pytest.mark.parametrize("name", ["../../../../outside", "/etc/passwd", "a/../../b", "eval/\\x", ""])
def test_names_that_lead_out_are_refused(run, name):
    folder = run("single")
    l.change_line(folder, lambda line: line["files"].update({name: "sha256:x"}))
    problems = check(folder).problems
    assert any("leads out of the log" in problem or "cannot be read" in problem for problem in problems)


@pytest.mark.parametrize("change", [lambda raw: raw[:-20], lambda raw: raw + b"more"], ids=["cut", "more"])
def test_a_last_line_without_an_end_is_one_sentence_that_is_true_of_both_its_causes(change, run, bench):
    folder = run("single")
    path = folder / "attempts.jsonl"
    path.write_bytes(change(path.read_bytes()))
    ended = bench("logs", "check", folder)
    assert ended.code == 2
    assert "it was cut, or something was written behind the last whole line" in ended.err
    assert "Traceback" not in ended.out + ended.err
    assert len(ended.err.strip().splitlines()) == 1


def test_a_line_without_end_is_one_sentence_and_not_held_in_memory_twice(run):
    folder = run("single-openai")
    events = l.places(folder)[0] / "turn-01" / "events.jsonl"
    with events.open("ab") as file:
        for _ in range(100):
            file.write(b"x" * 2**20)
        file.write(b"\n")
    l.rehash(folder)
    from benchwright_logs.audit import audit

    [problem] = [one for one in audit(folder).problems if "events.jsonl" in one]
    assert "the line is 104,857,600 bytes long" in problem


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"run": 1}', "null", "\x00\xff"])
@pytest.mark.parametrize("file", ["manifest.json", "attempts.jsonl", "state.json", "run.json", "evaluation.json"])
def test_damaged_records_end_in_sentences(run, file, damage):
    folder = run("tools")
    [path] = [*folder.rglob(file)][:1]
    path.write_bytes(damage.encode("latin-1") + b"\n")
    assert told(folder)


def test_a_run_that_is_not_finished_is_not_complete(run):
    folder = run("single")
    l.change_json(folder / "manifest.json", lambda value: value.update(status="interrupted"))
    assert any("not finished" in problem for problem in check(folder).problems)


def test_what_is_no_run_is_a_sentence(tmp_path, bench):
    for path in (tmp_path, tmp_path / "nothing"):
        ended = bench("logs", "check", path)
        assert ended.code == 2
        assert "Traceback" not in ended.err
        assert ended.err.strip()


@pytest.mark.parametrize(
    ("system", "texts"),
    [
        ("", ["one"]),
        ("be kind", ["one"]),
        ("two\n\nparts", ["one\n\nand more\n"]),
        ("", ["one", "two", "three"]),
        ("sys", ["one\n", "", "three\n\n"]),
        ("", ["[user]\nnot a role"]),
    ],
)
def test_a_prompt_digest_follows_from_the_message_as_the_engine_writes_it(system, texts):
    from types import SimpleNamespace

    from benchwright.engine.episode import Episode

    messages = [Message(("user", "assistant")[at % 2], text) for at, text in enumerate(texts)]
    messages[0] = Message("user", texts[0], {"a.py": b"x = 1\n"})
    wrote = Episode._sent(SimpleNamespace(_messages=messages, _task=SimpleNamespace(system=system)), 1).decode()
    digest = prompt_digest(system, messages)
    assert derives(wrote, {"a.py": b"x = 1\n"}, digest)
    assert not derives(wrote, {"a.py": b"x = 2\n"}, digest)
    assert not derives(wrote + "x", {"a.py": b"x = 1\n"}, digest)


def test_the_command_says_how_much_it_derived(made, bench):
    ended = bench("logs", "check", made("single-openai"), "--json")
    assert ended.code == 0, ended.err
    assert json.loads(ended.out)["attempts"] == 8
    assert "all equal" in ended.err


@pytest.mark.proof
def test_what_was_attached_to_a_prompt_is_in_the_log(tmp_path, bench):
    pytest.importorskip("scratch_kernels", reason="scratch-kernels, whose prompts have attachments, is not installed")
    ended = bench(
        "run", "--tasks", "kernels/softmax_stability", "--model", "starter", "--no-mlflow", "--out", tmp_path / "run"
    )
    if "walls" in ended.err and ended.code == 2:
        pytest.skip(ended.err)
    assert list((tmp_path / "run").rglob("turn-01/attachments/*"))
    assert check(tmp_path / "run").problems == ()
    path = next((tmp_path / "run").rglob("turn-01/attachments/*"))
    path.write_bytes(path.read_bytes() + b"\n")
    l.rehash(tmp_path / "run")
    assert any("prompt digest" in problem for problem in check(tmp_path / "run").problems)
