"""A redacted run: nothing secret in it, no scored byte changed, and still a log that derives."""

import base64
import gzip
import io
import json
import re
import shutil
import urllib.parse
import zipfile

import log_runs as l
import pytest
from benchwright import digests
from benchwright.errors import UserError
from benchwright_logs.audit import audit
from benchwright_logs.check import check
from benchwright_logs.known import Literal, named
from benchwright_logs.ledger import scored
from benchwright_logs.placeholders import Placeholders, read_key
from benchwright_logs.redact import redact, withholding
from benchwright_logs.redactor import Redactor

HOME = "/home/zephyrine"
KEY = b"a key for these tests, no more"
SECRETS = [
    f"{HOME}/lab/run_%d.py", "/mnt/nvme3/exp/%d.npz", "/Users/quillon/p%d/x.txt", "C:\\Users\\ottoline\\%d.txt",
    "box%d.cluster.internal", "10.77.3.%d", "ines%d@labmail.com", "sk-proj-abcDEF%03dxyz123456", "hf_QwErTy%03dAsDfGhJk",
    "%08x-1111-4222-8333-444455556666",
]  # fmt: skip
ENCODINGS = [
    str,
    lambda text: json.dumps({"p": text}).replace("/", "\\/"),
    lambda text: json.dumps(json.dumps([text])),
    lambda text: urllib.parse.quote(text, safe=""),
    lambda text: base64.b64encode(text.encode()).decode(),
    lambda text: base64.b64encode(gzip.compress(text.encode())).decode(),
    lambda text: text.encode().hex(),
    lambda text: "".join(f"&#{ord(letter)};" for letter in text),
    lambda text: json.dumps(list(text.encode())),
]


def redacted(run, out, key=KEY, rules=(), secrets=()):
    placeholders = Placeholders(key)
    literals = [Literal("home", HOME, "home"), Literal("user", "zephyrine", "user"), *named(secrets)]
    return redact(run, out, Redactor(placeholders, literals), placeholders, rules)


def planted(run):
    """30 secrets, each in an encoding of its own, in every file that is not scored; gives what was planted."""
    things = [secret % number for number in range(3) for secret in SECRETS]
    notes = [ENCODINGS[number % len(ENCODINGS)](thing) for number, thing in enumerate(things)]
    places = l.places(run)
    for place in places:
        for path in sorted(place.glob("turn-*/events.jsonl")):
            events = [json.loads(line) for line in path.read_text().splitlines()]
            events[-1].setdefault("response", {})["metadata"] = {"notes": notes}
            path.write_text("".join(json.dumps(event) + "\n" for event in events))
        for path in sorted(place.glob("turn-*/run.json")):
            l.change_json(path, lambda value: value["settings"].update(where=things[0], note=notes[1]))
    for number in range(len(places)):
        l.change_line(run, lambda line: line["model"]["settings"].update(where=things[0], note=notes[1]), number)
    l.change_json(run / "manifest.json", lambda value: value.update(command=[*value["command"], *notes]))
    l.change_json(run / "manifest.json", lambda value: value["notes"].update(notes=notes))
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for number, note in enumerate(notes):
            archive.writestr(f"{number}.txt", note)
    (places[0] / "turn-01" / "more.zip").write_bytes(packed.getvalue())
    l.rehash(run)
    return things


def everything(content, depth=0):
    """What is in a file, by decoders of this test's own."""
    found = [content]
    if depth > 4:
        return found
    if content[:2] == b"PK":
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return found + [x for name in archive.namelist() for x in everything(archive.read(name), depth + 1)]
    if content[:2] == b"\x1f\x8b":
        return found + everything(gzip.decompress(content), depth + 1)
    import html

    text = content.decode("utf-8", "replace")
    inner = [
        urllib.parse.unquote(text),
        html.unescape(text),
        text.replace("\\/", "/").replace("\\\\", "\\").replace('\\"', '"'),
    ]
    for piece in re.findall(r"[A-Za-z0-9+/]{12,}={0,2}", text):
        try:
            decoded = base64.b64decode(piece + "=" * (-len(piece) % 4))
        except ValueError:
            continue
        if decoded[:2] == b"\x1f\x8b" or decoded.isascii():
            found += everything(decoded, depth + 1)
    for piece in re.findall(r"\b(?:[0-9a-f]{2}){8,}\b", text):
        found.append(bytes.fromhex(piece))
    for piece in re.findall(r"\[\s*\d+(?:,\s*\d+)+\s*\]", text):
        codes = json.loads(piece)
        if all(code < 256 for code in codes):
            found.append(bytes(codes))
    for other in inner:
        if other != text:
            found += everything(other.encode("utf-8", "replace"), depth + 1)
    return found


@pytest.mark.parametrize("name", l.PROTOCOLS)
def test_thirty_planted_secrets_leave_no_trace_and_no_scored_byte_changes(run, tmp_path, name):
    folder = run(name)
    things = planted(folder)
    assert len(things) == 30
    before = audit(folder).verdicts
    done = redacted(folder, tmp_path / "out")
    wanted = [thing.encode() for thing in things] + [b"zephyrine", b"quillon", b"ottoline", b"labmail"]
    for path in (p for p in (tmp_path / "out").rglob("*") if p.is_file()):
        seen = everything(path.read_bytes())
        assert not [thing for thing in wanted if any(thing in piece for piece in seen)], path
    for path in (p for p in folder.rglob("*") if p.is_file()):
        place = path.relative_to(folder).as_posix()
        if scored("/".join(place.split("/")[4:])):
            assert (tmp_path / "out" / place).read_bytes() == path.read_bytes()
            assert done.scored[place] == digests.sha256(path.read_bytes())
    found = check(tmp_path / "out")
    assert found.problems == ()
    assert audit(tmp_path / "out").verdicts == before
    assert done.withheld == []


def test_one_thing_has_one_placeholder_in_every_file(run, tmp_path):
    folder = run("single-openai")
    thing = "/mnt/nvme3/exp/0.npz"
    planted(folder)
    redacted(folder, tmp_path / "out")
    placeholder = Redactor(Placeholders(KEY)).text(thing)
    assert re.fullmatch(r"<path-[0-9a-f]{8}>", placeholder)
    for name in ("manifest.json", "turn-01/events.jsonl", "turn-01/more.zip"):
        path = tmp_path / "out" / name if "/" not in name else next((tmp_path / "out").rglob(f"*/{name}"))
        assert any(placeholder.encode() in piece for piece in everything(path.read_bytes())), name


def test_a_redacted_run_redacted_again_is_the_same(run, tmp_path):
    folder = run("tools")
    planted(folder)
    redacted(folder, tmp_path / "once")
    (tmp_path / "once" / "redaction.json").unlink()
    redacted(tmp_path / "once", tmp_path / "twice")
    for path in (p for p in (tmp_path / "once").rglob("*") if p.is_file()):
        assert (tmp_path / "twice" / path.relative_to(tmp_path / "once")).read_bytes() == path.read_bytes(), path


@pytest.mark.parametrize("name", ["single-anthropic", "single-openai"])
def test_a_secret_that_comes_in_pieces_of_a_stream_is_found(run, tmp_path, name):
    folder = run(name)
    place = l.places(folder)[0]
    events, answer = place / "turn-01" / "events.jsonl", place / "turn-01" / "answer.md"
    answer.write_text(answer.read_text().replace("I add them up", f"I read {HOME}/lab/notes.txt"))
    lines = [json.loads(line) for line in events.read_text().splitlines()]
    deltas = [line for line in lines if "delta" in line and "delta" in line["type"] and line["type"] != "message_delta"]
    text, size = answer.read_text(), len(answer.read_text()) // len(deltas) + 1
    for number, line in enumerate(deltas):
        piece = text[number * size : (number + 1) * size]
        line["delta"] = piece if isinstance(line["delta"], str) else {**line["delta"], "text": piece}
    if name == "single-openai":
        lines[-1]["response"]["output"][-1]["content"][0]["text"] = text
    events.write_text("".join(json.dumps(line) + "\n" for line in lines))
    l.rehash(folder)
    assert audit(folder).problems == ()
    redacted(folder, tmp_path / "out")
    new = tmp_path / "out" / events.relative_to(folder)
    assert len(new.read_text().splitlines()) == len(lines)
    pieces = re.findall(r'"(?:delta|text)":\s*"((?:[^"\\]|\\.)*)"', new.read_text())
    assert "zephyrine" not in "".join(pieces)
    assert "<home>/lab/notes.txt" in new.read_text()
    assert check(tmp_path / "out").problems == ()
    assert audit(tmp_path / "out").problems == ()


def test_scored_files_that_hold_something_secret_are_withheld_and_leave_a_stub(run, tmp_path):
    folder = run("single-openai")
    path = l.places(folder)[0] / "submission" / "answer.json"
    path.write_text(json.dumps({"sum": 2, "from": f"{HOME}/x"}))
    l.rehash(folder)
    digest = digests.sha256(path.read_bytes())
    done = redacted(folder, tmp_path / "out")
    assert done.withheld == [path.relative_to(folder).as_posix()]
    assert not (tmp_path / "out" / done.withheld[0]).exists()
    stub = json.loads((tmp_path / "out" / (done.withheld[0] + ".withheld.json")).read_text())
    assert stub["sha256"] == digest
    assert "secret" in stub["reason"]
    found = check(tmp_path / "out")
    assert found.problems == ()
    assert found.withheld == 1


def test_a_stub_of_another_file_is_found(run, tmp_path):
    redacted(run("single"), tmp_path / "out", rules=withholding(("*/submission/*=not ours to show",)))
    assert check(tmp_path / "out").withheld == 4
    stub = next((tmp_path / "out").rglob("*.withheld.json"))
    l.change_json(stub, lambda value: value.update(sha256="sha256:0"))
    assert any("names another hash" in problem for problem in check(tmp_path / "out").problems)


def test_a_withheld_verdict_leaves_its_numbers_underived_and_says_so(run, tmp_path):
    redacted(run("tools"), tmp_path / "out", rules=withholding(("*/eval/*=licensed text",)))
    found = check(tmp_path / "out")
    assert found.problems == ()
    assert found.withheld == 1


def test_a_prompt_that_was_changed_by_redaction_is_taken_on_trust_and_counted(run, tmp_path):
    folder = run("single-openai")
    redacted(folder, tmp_path / "out", secrets=("verb=Reply with JSON",))
    found = check(tmp_path / "out")
    assert found.problems == ()
    assert found.trusted == 8


def test_a_model_named_by_a_path_is_renamed_everywhere(run, tmp_path):
    folder = run("single")
    for path in [*folder.rglob("run.json"), folder / "attempts.jsonl", folder / "manifest.json"]:
        path.write_text(path.read_text().replace('"reference"', f'"file:{HOME}/net.py"'))
    for path in list(folder.rglob("reference")):
        from benchwright.names import folder_name

        path.rename(path.with_name(folder_name(f"file:{HOME}/net.py")))
    manifest = json.loads((folder / "manifest.json").read_text())
    import msgspec
    from benchwright.journal import PlanRecord
    from benchwright.names import attempt_id

    plan = msgspec.convert(manifest["plan"], PlanRecord).digest
    l.change_json(folder / "manifest.json", lambda value: value.update(plan_digest=plan))
    for number, (line, place) in enumerate(zip(l.attempts(folder), l.places(folder), strict=True)):
        new = attempt_id(plan, line["task"]["digest"], f"file:{HOME}/net.py", 1)
        l.change_json(place / "state.json", lambda value, new=new: value.update(attempt=new))
        l.change_line(folder, lambda line, new=new: line.update(attempt=new), number)
    l.rehash(folder)
    assert check(folder).problems == ()
    redacted(folder, tmp_path / "out")
    assert not [path for path in (tmp_path / "out").rglob("*") if "zephyrine" in path.name]
    found = check(tmp_path / "out")
    assert found.problems == ()
    assert found.trusted > 0


def test_a_bomb_in_a_run_is_withheld_and_a_link_refused(run, tmp_path):
    folder = run("single-openai")
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(70):
            archive.writestr(str(number), b"\0" * 2**22)
    place = l.places(folder)[0]
    (place / "networks").mkdir()
    (place / "networks" / "w.npz").write_bytes(bomb.getvalue())
    l.rehash(folder)
    done = redacted(folder, tmp_path / "out")
    assert [name.rpartition("/")[2] for name in done.withheld] == ["w.npz"]
    (place / "link").symlink_to(tmp_path)
    with pytest.raises(UserError, match="is a link"):
        redacted(folder, tmp_path / "out2")


def test_a_file_whose_name_is_secret_stops_it(run, tmp_path):
    folder = run("single")
    (l.places(folder)[0] / "submission" / "zephyrine.txt").write_text("x")
    with pytest.raises(UserError, match="name of the file is secret"):
        redacted(folder, tmp_path / "out")


def test_the_key_stays_outside_and_is_kept(run, tmp_path, bench):
    folder = run("single")
    with pytest.raises(UserError, match="keep it outside"):
        read_key(folder / "key", folder)
    key = read_key(tmp_path / "keys" / "one", folder)
    assert read_key(tmp_path / "keys" / "one", folder) == key
    assert (tmp_path / "keys" / "one").stat().st_mode & 0o077 == 0
    (tmp_path / "short").write_text("x")
    with pytest.raises(UserError, match="is no key"):
        read_key(tmp_path / "short")


def test_a_run_that_was_altered_is_refused_since_the_record_of_a_copy_would_hide_it(run, tmp_path, bench):
    folder = run("single")
    verdict = next(folder.rglob("evaluation.json"))
    verdict.write_bytes(verdict.read_bytes().replace(b"solved", b"refused"))
    ended = bench("logs", "redact", folder, "--out", tmp_path / "out")
    assert ended.code == 2
    assert "evaluation.json has a different hash: the run folder is not as its record says" in ended.err
    assert not (tmp_path / "out").exists()


def test_nothing_is_written_but_into_a_new_folder_of_its_own(run, tmp_path, bench):
    folder = run("single")
    before = sorted(folder.rglob("*"))
    for out in (folder, folder / "below", tmp_path):
        ended = bench("logs", "redact", folder, "--out", out)
        assert ended.code == 2
        assert "Traceback" not in ended.err
    assert sorted(folder.rglob("*")) == before
    ended = bench("logs", "redact", folder, "--out", tmp_path / "fine", "--secret", "verb=Reply")
    assert ended.code == 0, ended.err
    assert "<verb>" in ended.out
    shutil.rmtree(tmp_path / "fine")


@pytest.mark.parametrize("text", ["x", "X=1234", "a=12", "=abc"])
def test_a_badly_named_secret_is_refused_without_showing_it(tmp_path, text):
    with pytest.raises(UserError, match="number 1"):
        named([text])
    (tmp_path / "list").write_text(f"# mine\n\n{text}\n")
    with pytest.raises(UserError, match="list:3"):
        named([], tmp_path / "list")
