"""A run in other tools' forms, read back by the tools themselves."""

import json
import subprocess

import log_runs as l
import pytest
from benchwright.errors import FileError
from benchwright_logs import inspect_log, otlp

READ_BACK = """
import json, sys
from inspect_ai.log import read_eval_log, write_eval_log
found = {}
for path in sys.argv[2:]:
    log = read_eval_log(path)
    write_eval_log(log, sys.argv[1])
    for source in (log, read_eval_log(sys.argv[1])):
        rows = [
            {
                "id": sample.id, "epoch": sample.epoch,
                "score": sample.scores["benchwright"].value if sample.scores else None,
                "events": [event.event for event in sample.events],
                "messages": [[message.role, message.text] for message in sample.messages],
                "tool": [event.result for event in sample.events if event.event == "tool"],
                "stop": sample.output.stop_reason,
                "tokens": sum(usage.output_tokens for usage in sample.model_usage.values()),
            }
            for sample in source.samples
        ]
        found.setdefault(path, []).append(rows)
print(json.dumps(found))
"""


def transcript(place):
    """Roles and texts of an attempt, as they lie in its folder."""
    said = []
    for turn in sorted(place.glob("turn-*")):
        said.append(["user", (turn / "message.txt").read_text()])
        said.append(["assistant", (turn / "answer.md").read_text()])
    return said


@pytest.mark.proof
@pytest.mark.parametrize("name", l.PROTOCOLS)
def test_inspect_reads_every_message_event_and_score(made, tmp_path, other_environment, bench, name):
    """And what Inspect wrote of it again, packed as .eval, compares with the run."""
    [path] = inspect_log.export(made(name), tmp_path / "out")
    (tmp_path / "read.py").write_text(READ_BACK)
    done = subprocess.run(
        [other_environment.python, str(tmp_path / "read.py"), str(tmp_path / "again.eval"), str(path)],
        capture_output=True, text=True, check=False, cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    ended = bench("compare", made(name), tmp_path / "again.eval", "--json")
    assert ended.code == 0, ended.err
    [got] = json.loads(ended.out)
    assert (got["difference"]["difference"], got["left_out"]) == (0.0, {})
    for rows in json.loads(done.stdout)[str(path)]:
        by_sample = {(row["id"], row["epoch"]): row for row in rows}  # Inspect puts samples in an order of its own
        assert len(by_sample) == len(rows) == len(l.attempts(made(name)))
        for line, place in zip(l.attempts(made(name)), l.places(made(name)), strict=True):
            row = by_sample[line["task"]["id"], line["draw"]]
            assert row["score"] == line["score"]
            assert row["messages"] == transcript(place)
            assert row["events"].count("model") == line["protocol"]["turns"]
            assert row["events"].count("tool") == line["protocol"]["passes"]
            assert row["tokens"] == line["usage"]["output"]
            assert row["stop"] == "stop"
            if row["tool"]:
                assert row["tool"][0] in (place / "turn-02" / "message.txt").read_text()


@pytest.mark.parametrize("name", [*l.PROTOCOLS, "single"])
def test_bench_imports_its_own_export_with_the_same_scores(made, tmp_path, name):
    from benchwright.leaderboard.inspect_log import read

    [path] = inspect_log.export(made(name), tmp_path / "out")
    back = {one.draw: one for one in read(path).attempts if one.task.id.endswith(read(path).attempts[0].task.id)}
    assert back
    scores = sorted((one.draw, one.score, one.outcome) for one in read(path).attempts)
    assert scores == sorted((line["draw"], line["score"], line["outcome"]) for line in l.attempts(made(name)))


@pytest.mark.parametrize("name", [*l.PROTOCOLS, "single"])
def test_a_run_and_its_own_export_compare_with_a_difference_of_exactly_nothing(made, tmp_path, bench, name):
    [path] = inspect_log.export(made(name), tmp_path / "out")
    ended = bench("compare", made(name), path, "--json")
    assert ended.code == 0, ended.err
    [got] = json.loads(ended.out)
    assert got["difference"]["difference"] == 0.0
    assert got["difference"]["tasks"] == len({line["task"]["id"] for line in l.attempts(made(name))})
    assert got["left_out"] == {}
    for figure in ("k", "n", "draws", "score", "low", "high", "missing"):
        assert got["a_summary"][figure] == got["b_summary"][figure]


def test_an_earlier_round_of_a_run_compares_with_that_round_of_its_export(made, tmp_path, bench):
    [path] = inspect_log.export(made("revise"), tmp_path / "out")
    [line] = l.attempts(made("revise"))
    assert line["rounds"][0]["score"] != line["score"]
    ended = bench("compare", made("revise"), path, "--round", "0", "--json")
    assert ended.code == 0, ended.err
    [got] = json.loads(ended.out)
    assert got["a_summary"]["score"] == got["b_summary"]["score"] == line["rounds"][0]["score"]


@pytest.mark.parametrize(
    ("outcome", "score"), [("refused", None), ("truncated", None), ("timeout", 0.0), ("no_submission", 0.0)]
)
def test_an_outcome_comes_back_as_it_was(run, tmp_path, bench, outcome, score):
    from benchwright.leaderboard.inspect_log import read

    folder = run("single")
    l.change_line(folder, lambda line: line.update(outcome=outcome, score=score, reason="it was so"))
    l.rehash(folder)
    [path] = inspect_log.export(folder, tmp_path / "out")
    first = read(path).attempts[0]
    assert (first.outcome, first.score, first.reason) == (outcome, score, "it was so")


def test_an_export_joins_no_board_though_it_stands_under_the_tasks_of_its_run(made, tmp_path, bench):
    [path] = inspect_log.export(made("single"), tmp_path / "out")
    assert bench("import", "inspect", path, "--out", tmp_path / "back").code == 0
    ended = bench("leaderboard", "add", tmp_path / "back", "--by", "me")
    assert ended.code == 2
    assert "imported runs stay off the boards" in ended.err
    assert bench("report", tmp_path / "back").code == 0


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda sample: sample["metadata"]["task"].update(id="sums/n9"), "says that it is an attempt at sums/n9"),
        (lambda sample: sample["metadata"]["task"].pop("digest"), "its metadata is damaged"),
        (lambda sample: sample["metadata"].update(outcome="refused"), "which do not go together"),
        (lambda sample: sample["metadata"].update(outcome="splendid"), "'splendid' and the score 1, which do not"),
        (lambda sample: sample.pop("scores"), "'solved' and no score, which do not"),
        (lambda sample: (sample.update(id="../x"), sample["metadata"]["task"].update(id="../x")), "is not a task id"),
    ],
    ids=["another task", "no digest", "evidence", "no outcome", "no score", "no task id"],
)
def test_an_export_that_was_changed_by_hand_is_one_sentence(made, tmp_path, bench, change, told):
    [path] = inspect_log.export(made("single"), tmp_path / "out")
    l.change_json(path, lambda log: change(log["samples"][0]))
    ended = bench("compare", made("single"), path)
    assert ended.code == 2
    assert told in ended.err
    assert "Traceback" not in ended.err


def test_another_scorer_s_score_stands_apart_from_the_run(made, tmp_path):
    from benchwright.leaderboard.inspect_log import read

    [path] = inspect_log.export(made("single"), tmp_path / "out")
    l.change_json(path, lambda log: [one["scores"].update(mine={"value": "I"}) for one in log["samples"]])
    attempts = read(path, "mine").attempts
    assert {one.score for one in attempts} == {0.0}
    assert all(one.task.id.startswith("inspect/") for one in attempts)


def test_outcomes_without_evidence_have_no_score_but_a_reason(run, tmp_path):
    folder = run("single")
    l.change_line(folder, lambda line: line.update(outcome="harness_error", score=None, reason="the disk was full"))
    l.rehash(folder)
    [path] = inspect_log.export(folder, tmp_path / "out")
    first = json.loads(path.read_text())["samples"][0]
    assert "scores" not in first
    assert first["error"]["message"] == "the disk was full"


@pytest.mark.parametrize("exporter", [inspect_log, otlp], ids=["inspect", "otlp"])
def test_a_run_that_was_damaged_since_it_was_finished_is_not_exported(run, tmp_path, exporter):
    folder = run("single")
    (folder / "attempts.jsonl").write_bytes((folder / "attempts.jsonl").read_bytes()[:-20])
    with pytest.raises(FileError, match=r"attempts\.jsonl: is not the file that manifest\.json names"):
        exporter.export(folder, tmp_path / "out")


@pytest.mark.parametrize("name", l.PROTOCOLS)
def test_spans_are_read_by_the_protocol_s_own_messages(made, tmp_path, name):
    trace = pytest.importorskip("opentelemetry.proto.trace.v1.trace_pb2", reason="opentelemetry-proto is not installed")
    from google.protobuf import json_format

    [path] = otlp.export(made(name), tmp_path / "out")
    message = json_format.Parse(path.read_text(), trace.TracesData())
    [resource] = message.resource_spans
    [scope] = resource.scope_spans
    assert scope.schema_url == resource.schema_url == otlp.SCHEMA_URL
    lines = l.attempts(made(name))
    kinds = [span.name.split()[0] for span in scope.spans]
    assert kinds.count("invoke_agent") == len(lines)
    assert kinds.count("chat") == sum(line["protocol"]["turns"] for line in lines)
    assert kinds.count("execute_tool") == sum(line["protocol"]["passes"] for line in lines)


def spans_of(path):
    return json.loads(path.read_text())["resourceSpans"][0]["scopeSpans"][0]["spans"]


def attributes(span):
    return {one["key"]: next(iter(one["value"].values())) for one in span["attributes"]}


def test_spans_form_a_tree_within_their_parents_time(made, tmp_path):
    [path] = otlp.export(made("tools"), tmp_path / "out")
    spans = spans_of(path)
    by_id = {span["spanId"]: span for span in spans}
    assert len(by_id) == len(spans)
    for span in spans:
        assert len(span["traceId"]) == 32
        assert len(span["spanId"]) == 16
        int(span["traceId"] + span["spanId"], 16)
        assert int(span["startTimeUnixNano"]) <= int(span["endTimeUnixNano"])
        if "parentSpanId" in span:
            parent = by_id[span["parentSpanId"]]
            assert int(parent["startTimeUnixNano"]) <= int(span["startTimeUnixNano"])
            assert int(span["endTimeUnixNano"]) <= int(parent["endTimeUnixNano"])
    [line] = l.attempts(made("tools"))
    root = attributes(spans[0])
    assert int(root["gen_ai.usage.output_tokens"]) == line["usage"]["output"]
    assert spans[0]["events"][0]["name"] == "gen_ai.evaluation.result"
    assert [attributes(span)["gen_ai.operation.name"] for span in spans] == [
        "invoke_agent",
        "chat",
        "execute_tool",
        "chat",
    ]


def test_names_of_attributes_are_those_of_the_pinned_conventions(made, tmp_path):
    """Names that the published package knows; newer ones of the pinned version are listed here by hand."""
    found = pytest.importorskip("opentelemetry.semconv._incubating.attributes.gen_ai_attributes")
    known = {value for name, value in vars(found).items() if name.startswith("GEN_AI_") and isinstance(value, str)}
    newer = {
        "gen_ai.provider.name", "gen_ai.input.messages", "gen_ai.output.messages", "gen_ai.tool.call.arguments",
        "gen_ai.tool.call.result", "gen_ai.evaluation.name", "gen_ai.evaluation.score.value",
        "gen_ai.evaluation.score.label", "gen_ai.evaluation.explanation",
    }  # fmt: skip
    [path] = otlp.export(made("tools"), tmp_path / "out")
    used = set()
    for span in spans_of(path):
        for holder in (span, *span.get("events", ())):
            used |= {one["key"] for one in holder["attributes"] if one["key"].startswith("gen_ai.")}
    assert used <= known | newer


@pytest.mark.parametrize("target", ["inspect", "otlp"])
def test_an_export_is_the_same_every_time_and_writes_into_a_new_folder(made, tmp_path, bench, target):
    ended = bench("logs", "export", made("single-openai"), "--to", target, "--out", tmp_path / "a", "--json")
    assert ended.code == 0, ended.err
    [one] = json.loads(ended.out)["files"]
    bench("logs", "export", made("single-openai"), "--to", target, "--out", tmp_path / "b")
    [other] = (tmp_path / "b").iterdir()
    from pathlib import Path

    assert Path(one).read_bytes() == other.read_bytes()
    assert bench("logs", "export", made("single-openai"), "--to", target, "--out", tmp_path / "b").code == 2
