"""No turn is called free of tools that is not."""

import copy
import json
import shutil

import log_runs as l
import pytest
from benchwright_logs.audit import audit, audit_files, problems
from benchwright_logs.rules import JUDGES
from benchwright_logs.rules.codex import NOTICES

CODEX = [
    {"type": "thread.started", "thread_id": "0199-a"},
    {"type": "item.completed", "item": {"id": "item_0", "type": "error", "message": next(iter(NOTICES))}},
    {"type": "turn.started"},
    {"type": "item.completed", "item": {"id": "item_1", "type": "reasoning", "text": "**Thinking**"}},
    {"type": "item.completed", "item": {"id": "item_2", "type": "agent_message", "text": "The answer is 4."}},
    {
        "type": "turn.completed",
        "usage": {"input_tokens": 9, "cached_input_tokens": 0, "output_tokens": 5, "reasoning_output_tokens": 2},
    },
]


def events_of(folder):
    path = l.places(folder)[0] / "turn-01" / "events.jsonl"
    return path, [json.loads(line) for line in path.read_text().splitlines()]


def put(path, events):
    path.write_text("".join((event if isinstance(event, str) else json.dumps(event)) + "\n" for event in events))


@pytest.mark.parametrize("name", ["single-anthropic", "single-openai", "single-openai-compatible", "revise", "tools"])
def test_turns_of_each_provider_are_free_of_tools(made, name):
    found = audit(made(name))
    assert found.problems == ()
    assert set(found.verdicts) == {"tool_free"}
    assert found.passes == (1 if name == "tools" else 0)


def test_codex_lines_are_free_of_tools(tmp_path):
    put(tmp_path / "events.jsonl", CODEX)
    found = audit_files(tmp_path / "events.jsonl")
    assert found.verdicts == {"tool_free": 1}
    assert found.turns[0].thread == "0199-a"


def at(*path):
    """A change of what lies at `path` of the events: the last step is a key, or an index."""

    def change(events, value):
        holder = events
        for step in path[:-1]:
            holder = holder[step]
        holder[path[-1]] = value

    return change


ANTHROPIC = {
    "a tool's block": lambda e: e.insert(
        2,
        {
            "type": "content_block_start",
            "index": 0,
            "content_block": {"type": "tool_use", "id": "t", "name": "python", "input": {}},
        },
    ),
    "a server's tool": lambda e: at(1, "content_block", "type")(e, "server_tool_use"),
    "a search result": lambda e: at(1, "content_block", "type")(e, "web_search_tool_result"),
    "a block nobody knows": lambda e: at(1, "content_block", "type")(e, "hologram"),
    "an event nobody knows": lambda e: e.insert(3, {"type": "message_dream"}),
    "a renamed type": lambda e: at(3, "type")(e, "content_block_delta2"),
    "an error": lambda e: e.insert(3, {"type": "error", "error": {"type": "overloaded_error", "message": "x"}}),
    "counted searches": lambda e: e[-2]["usage"].update(server_tool_use={"web_search_requests": 1}),
    "a container": lambda e: e[0]["message"].update(container={"id": "c"}),
    "citations": lambda e: at(3, "delta")(e, {"type": "citations_delta", "citation": {}}),
    "input of a tool": lambda e: at(3, "delta")(e, {"type": "input_json_delta", "partial_json": "{}"}),
    "stopped for a tool": lambda e: at(-2, "delta", "stop_reason")(e, "tool_use"),
    "paused": lambda e: at(-2, "delta", "stop_reason")(e, "pause_turn"),
    "no usage": lambda e: e[-2].pop("usage"),
    "no model": lambda e: e[0]["message"].pop("model"),
    "no end": lambda e: e.pop(),
    "two ends": lambda e: e.append({"type": "message_stop"}),
    "two beginnings": lambda e: e.insert(1, copy.deepcopy(e[0])),
    "a field nobody knows": lambda e: e[0]["message"].update(plugins=["browser"]),
    "no type": lambda e: e.insert(1, {"x": 1}),
    "no object": lambda e: e.insert(1, [1]),
    "cut JSON": lambda e: e.insert(1, '{"type": "ping'),
    "another text": lambda e: at(3, "delta", "text")(e, "x"),
    "another model": lambda e: at(0, "message", "model")(e, "y"),
    "other tokens": lambda e: at(-2, "usage", "output_tokens")(e, 1),
}
OPENAI = {
    "an offered tool": lambda e: e[0]["response"].update(tools=[{"type": "web_search"}]),
    "a function call": lambda e: e[-1]["response"]["output"].append({"type": "function_call", "name": "f"}),
    "a search": lambda e: e[-1]["response"]["output"].append({"type": "web_search_call"}),
    "a computer": lambda e: e[-1]["response"]["output"].append({"type": "computer_call"}),
    "an item nobody knows": lambda e: e[-1]["response"]["output"].append({"type": "hologram"}),
    "an event of a tool": lambda e: at(1, "type")(e, "response.web_search_call.searching"),
    "an event nobody knows": lambda e: at(1, "type")(e, "response.dream.delta"),
    "citations": lambda e: e[-1]["response"]["output"][-1]["content"][0].update(annotations=[{"type": "url_citation"}]),
    "a part nobody knows": lambda e: e[-1]["response"]["output"][-1]["content"][0].update(type="hologram"),
    "an earlier response": lambda e: e[-1]["response"].update(previous_response_id="resp_0"),
    "failed": lambda e: at(-1, "type")(e, "response.failed"),
    "no usage": lambda e: e[-1]["response"].update(usage=None),
    "two ends": lambda e: e.append({**e[-1], "sequence_number": e[-1]["sequence_number"] + 1}),
    "an error": lambda e: e.append({"type": "error", "code": "x", "message": "y", "sequence_number": len(e)}),
    "a dropped delta": lambda e: e.pop(1),
    "cut JSON": lambda e: e.append('{"type": '),
    "another text": lambda e: e[-1]["response"]["output"][-1]["content"][0].update(text="x"),
}
CHAT = {
    "tool calls": lambda e: e[0]["choices"][0]["message"].update(tool_calls=[{"id": "t"}]),
    "a function call": lambda e: e[0]["choices"][0]["message"].update(function_call={"name": "f"}),
    "stopped for a tool": lambda e: e[0]["choices"][0].update(finish_reason="tool_calls"),
    "a reason nobody knows": lambda e: e[0]["choices"][0].update(finish_reason="dream"),
    "citations": lambda e: e[0].update(citations=["https://example.org"]),
    "search results": lambda e: e[0].update(search_results=[{}]),
    "annotations": lambda e: e[0]["choices"][0]["message"].update(annotations=[{"type": "url_citation"}]),
    "a field nobody knows": lambda e: e[0].update(browser="on"),
    "two choices": lambda e: e[0]["choices"].append(e[0]["choices"][0]),
    "content in parts": lambda e: e[0]["choices"][0]["message"].update(content=[{"type": "text", "text": "x"}]),
    "no usage": lambda e: e[0].pop("usage"),
    "two events": lambda e: e.append(e[0]),
    "no event": lambda e: e.clear(),
    "counted tools": lambda e: e[0]["usage"].update(server_tool_use={"web_search_requests": 2}),
}
CODEX_CHANGES = {
    **{
        f"item {kind}": lambda e, kind=kind: e.insert(4, {"type": "item.completed", "item": {"id": "x", "type": kind}})
        for kind in ("command_execution", "file_change", "mcp_tool_call", "collab_tool_call", "web_search", "todo_list", "plan", "hologram")
    },
    "begun, not ended": lambda e: e.insert(4, {"type": "item.started", "item": {"id": "x", "type": "command_execution"}}),
    "an error with other text": lambda e: e[1]["item"].update(message="Code Mode is disabled."),
    "the notice within the turn": lambda e: e.insert(3, e.pop(1)),
    "a failed turn": lambda e: at(-1, "type")(e, "turn.failed"),
    "an error event": lambda e: e.insert(4, {"type": "error", "message": "x"}),
    "an event nobody knows": lambda e: e.insert(4, {"type": "item.plan.delta"}),
    "a renamed type": lambda e: at(2, "type")(e, "turn.begun"),
    "no usage": lambda e: e[-1].pop("usage"),
    "no end": lambda e: e.pop(),
    "two ends": lambda e: e.append(e[-1]),
    "no message": lambda e: e.pop(4),
    "no thread": lambda e: e.pop(0),
    "cut JSON": lambda e: e.insert(3, '{"type": "item.comp'),
}  # fmt: skip
TOOLS = {"a tool's block", "a server's tool", "a search result", "counted searches", "a container", "stopped for a tool", "paused",
         "an offered tool", "a function call", "a search", "a computer", "an event of a tool", "citations", "tool calls",
         "search results", "annotations", "counted tools"}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "what"),
    [(f"single-{provider}", what) for provider, table in (("anthropic", ANTHROPIC), ("openai", OPENAI), ("openai-compatible", CHAT)) for what in table],
)  # fmt: skip
def test_every_mutant_of_a_provider_s_events_is_caught_though_all_hashes_hold(run, name, what):
    folder = run(name)
    path, events = events_of(folder)
    {"single-anthropic": ANTHROPIC, "single-openai": OPENAI, "single-openai-compatible": CHAT}[name][what](events)
    put(path, events)
    l.rehash(folder)
    found = audit(folder)
    turn = next(turn for turn in found.turns if turn.place in str(path))
    assert turn.verdict in ("tools", "unknown"), what
    assert found.problems
    if what in TOOLS and not (name == "single-anthropic" and what == "citations"):
        assert turn.verdict == "tools", turn.findings


@pytest.mark.parametrize("what", CODEX_CHANGES)
def test_every_mutant_of_codex_lines_is_caught(tmp_path, what):
    events = copy.deepcopy(CODEX)
    CODEX_CHANGES[what](events)
    put(tmp_path / "events.jsonl", events)
    [turn] = audit_files(tmp_path / "events.jsonl").turns
    assert turn.verdict in ("tools", "unknown")


@pytest.mark.parametrize("name", ["single-anthropic", "single-openai", "single-openai-compatible"])
def test_any_dropped_line_is_caught(made, tmp_path, name):
    count = len(events_of(made(name))[1])
    for number in range(count):
        shutil.copytree(made(name), tmp_path / "run")
        path, events = events_of(tmp_path / "run")
        put(path, events[:number] + events[number + 1 :])
        assert "unknown" in audit(tmp_path / "run").verdicts
        shutil.rmtree(tmp_path / "run")


def test_lost_events_are_no_proof_of_anything(run):
    folder = run("single-openai")
    events_of(folder)[0].unlink()
    found = audit(folder)
    assert found.verdicts == {"tool_free": 7, "unknown": 1}
    assert any("there is no events.jsonl" in problem for problem in found.problems)


def test_what_is_stored_in_run_json_is_not_believed(run):
    folder = run("single-anthropic")
    path, events = events_of(folder)
    ANTHROPIC["a tool's block"](events)
    put(path, events)
    l.change_json(path.with_name("run.json"), lambda value: value.update(audit={"tool_free": True}))
    l.rehash(folder)
    assert "tools" in audit(folder).verdicts


def test_where_no_provider_was_asked_there_is_nothing_to_audit(made):
    found = audit(made("single"))
    assert found.verdicts == {"no_model": 4}
    assert found.problems == ()


def test_a_provider_that_nobody_knows_is_not_free_of_tools(run):
    folder = run("single-openai-compatible")
    old = l.attempts(folder)[0]["model"]["name"]
    for path in folder.rglob("openai-compatible_x*"):
        path.rename(path.with_name("strange_x"))
    for path in [*folder.rglob("run.json"), folder / "attempts.jsonl", folder / "manifest.json"]:
        path.write_text(path.read_text().replace(old, "strange_x"))
    l.rehash(folder)
    found = audit(folder)
    assert set(found.verdicts) == {"unknown"}
    assert "no allow-list knows the events" in found.problems[0]


def test_a_turn_outside_of_a_tools_task_holds_no_tool_calls(run):
    folder = run("single-openai")
    (l.places(folder)[0] / "tool_calls.jsonl").write_text("")
    assert any("hands out no tool" in problem for problem in problems(folder))


def _calls(change):
    def damage(place):
        path = place / "tool_calls.jsonl"
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        change(lines)
        put(path, lines)

    return damage


def _message(old, new):
    def damage(place):
        path = place / "turn-02" / "message.txt"
        path.write_text(path.read_text().replace(old, new))

    return damage


PASSES = {
    "not the output on record": _message("é 7", "é 8"),
    "byte for byte": _message("7\n", "7"),
    "does not say how many": _message("You may run Python 1 more times.", ""),
    "the code on record": _calls(lambda lines: lines[0].update(code="print(7)\n")),
    " on record, 0 in": _calls(lambda lines: lines.clear()),
    "not numbered from 1": _calls(lambda lines: lines[0].update({"pass": 2})),
    "is no tool call": _calls(lambda lines: lines.append({"turn": 1})),
    "which is not there": _calls(lambda lines: lines[0].update(turn=9)),
    "it was not run": _calls(lambda lines: lines[0].update(protocol_error=True, code="")),
    " said to be left": lambda place: (
        _calls(lambda lines: lines.append({**lines[0], "turn": 2, "pass": 2}))(place),
        (place / "turn-03").mkdir(),
        (place / "turn-02" / "answer.md").write_text((place / "turn-01" / "answer.md").read_text()),
        (place / "turn-03" / "message.txt").write_text((place / "turn-02" / "message.txt").read_text()),
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", PASSES)
def test_passes_that_do_not_fit_are_told(run, what):
    folder = run("tools")
    PASSES[what](l.places(folder)[0])
    found = problems(folder)
    assert any(what in problem for problem in found), found


def test_turns_of_one_conversation_belong_to_one_thread(tmp_path):
    for number, thread in ((1, "a"), (2, "a")):
        (tmp_path / "talk" / f"turn_{number:03d}").mkdir(parents=True)
        put(tmp_path / "talk" / f"turn_{number:03d}" / "events.jsonl", [{**CODEX[0], "thread_id": thread}, *CODEX[1:]])
    assert audit_files(tmp_path).problems == ()
    put(tmp_path / "talk" / "turn_002" / "events.jsonl", [{**CODEX[0], "thread_id": "b"}, *CODEX[1:]])
    assert any("2 threads" in problem for problem in audit_files(tmp_path).problems)


def test_every_provider_that_comes_with_bench_has_an_allow_list():
    from benchwright.models import anthropic, compatible, openai

    assert {anthropic.PROVIDER, openai.PROVIDER, compatible.PROVIDER} < set(JUDGES)


def test_the_command_ends_with_2_where_a_tool_was_used(tmp_path, bench):
    put(tmp_path / "events.jsonl", [*CODEX[:4], {"type": "item.completed", "item": {"type": "web_search"}}, *CODEX[4:]])
    ended = bench("logs", "audit", tmp_path / "events.jsonl")
    assert ended.code == 2
    assert "a tool was used: event 5: the item `web_search`" in ended.out
    put(tmp_path / "events.jsonl", CODEX)
    assert bench("logs", "audit", tmp_path / "events.jsonl", "--format", "codex").code == 0


@pytest.mark.parametrize("arguments", [("audit",), ("export", "--to", "inspect"), ("export", "--to", "otlp")])
def test_a_run_with_an_edited_verdict_is_told_by_what_reads_it(arguments, run, bench, tmp_path):
    folder = run("single")
    command, *options = arguments
    more = [*options, "--out", tmp_path / "out"] if options else []
    assert bench("logs", command, folder, *more).code == 0
    verdict = sorted(folder.rglob("evaluation.json"))[0]
    verdict.write_bytes(verdict.read_bytes() + b" ")
    more = [*options, "--out", tmp_path / "again"] if options else []
    ended = bench("logs", command, folder, *more)
    assert ended.code == 2
    assert ended.err.startswith(f"{verdict} has a different hash: the run folder is not as its record says")
    assert len(ended.err.strip().splitlines()) == 1
    assert not (tmp_path / "again").exists()


def test_a_redacted_copy_with_withheld_files_is_audited_and_exported_as_a_whole_one(run, bench, tmp_path):
    copy = tmp_path / "copy"
    assert (
        bench("logs", "redact", run("single"), "--out", copy, "--withhold", "*/submission/*=not ours to give").code == 0
    )
    assert list(copy.rglob("submission/*.withheld.json"))
    assert bench("logs", "audit", copy).code == 0
    assert bench("report", copy).code == 0
    assert bench("logs", "export", copy, "--to", "otlp", "--out", tmp_path / "out").code == 0
