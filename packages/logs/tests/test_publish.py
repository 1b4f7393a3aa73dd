"""A release derives again from its own files, elsewhere; whatever was changed in it is found."""

import io
import json
import os
import shutil
import stat
import subprocess
import sys
import zipfile

import log_runs as l
import pytest
from benchwright.errors import UserError
from benchwright_logs.publish import Wishes, publish
from benchwright_logs.verify import verify


@pytest.fixture(scope="session")
def published(made, tmp_path_factory):
    """A folder with a release of one run of each protocol, the same packed, and its key; not to be changed."""
    folder = tmp_path_factory.mktemp("published")
    runs = [made(name) for name in l.PROTOCOLS]
    publish(runs, folder / "release", folder / "key", Wishes(title="Three runs"), folder / "release.zip")
    return folder


@pytest.fixture
def release(published, tmp_path):
    """A copy of that release, to be changed."""
    shutil.copytree(published / "release", tmp_path / "release")
    shutil.copy(published / "release.zip", tmp_path / "release.zip")
    return tmp_path / "release"


def test_a_run_of_each_protocol_is_published_and_verified(release):
    found = verify(release)
    assert found.problems == ()
    assert found.runs == 3
    assert found.attempts == 10
    assert found.verdicts == {"tool_free": 13}
    assert {run["protocols"][0] for run in json.loads((release / "release.json").read_text())["runs"]} == {
        "single",
        "revise",
        "tools",
    }
    assert verify(release.with_suffix(".zip")) == found


def test_the_readmes_say_which_run_is_which_row_and_where_each_number_comes_from(release):
    page = (release / "README.md").read_text()
    for row in json.loads((release / "figures.json").read_text()):
        assert f"runs/{row['run']}/README.md" in page
        of_run = (release / "runs" / row["run"] / "README.md").read_text()
        for name, field in row["fields"].items():
            assert f"| {name} |" in of_run
            assert f"`{field}`" in of_run
        for source in row["attempts"]:
            line = json.loads(
                (release / "runs" / row["run"] / "attempts.jsonl").read_text().splitlines()[source["line"] - 1]
            )
            assert (line["outcome"], line["score"]) == (source["outcome"], source["score"])
            verdict = release / "runs" / row["run"] / source["folder"] / "eval" / "evaluation.json"
            assert json.loads(verdict.read_text())["score"] == source["score"]
    assert "CC BY 4.0" in page


def test_the_same_runs_and_key_give_the_same_release(made, published, tmp_path):
    runs = [made(name) for name in l.PROTOCOLS]
    publish(runs, tmp_path / "again", published / "key", Wishes(title="Three runs"), tmp_path / "again.zip")
    assert (tmp_path / "again.zip").read_bytes() == (published / "release.zip").read_bytes()


def test_any_changed_byte_any_lost_and_any_added_file_is_found(release):
    for path in sorted(p for p in release.rglob("*") if p.is_file())[::7]:
        content = path.read_bytes()
        path.write_bytes(bytes([content[0] ^ 1]) + content[1:])
        try:
            problems = verify(release).problems
        except UserError as error:
            problems = [str(error)]
        assert any(path.name in problem for problem in problems), path
        path.write_bytes(content)
    path = next(release.rglob("message.txt"))
    content = path.read_bytes()
    path.unlink()
    assert any("message.txt: is not there" in problem for problem in verify(release).problems)
    path.write_bytes(content)
    (release / "more.txt").write_text("x")
    assert any("more.txt" in problem for problem in verify(release).problems)


LIES = {
    "a figure": (
        "figures.json",
        lambda value: value[0]["figures"].update(score=0.99),
        "score 0.99 on record",
    ),
    "a row": ("figures.json", lambda value: value.pop(), "has no row"),
    "a source": ("figures.json", lambda value: value[0]["attempts"].pop(), "are others than the log's"),
    "the audit": (
        "audit.json",
        lambda value: next(iter(value.values()))["verdicts"].update(tool_free=99),
        "another than the events give",
    ),
    "a verdict": (
        "release.json",
        lambda value: value["runs"][0]["verdicts"].update(tool_free=99),
        "others than the log's",
    ),
    "a licence": ("release.json", lambda value: value["licences"].pop(), "is not what the records say"),
}


@pytest.mark.parametrize("what", LIES)
def test_what_does_not_derive_is_found_though_all_hashes_hold(release, what):
    name, change, told = LIES[what]
    l.change_json(release / name, change)
    l.repin(release)
    problems = verify(release).problems
    assert any(told in problem for problem in problems), problems


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("/home/somebody/x.txt", "a path"),
        ("sk-proj-abcdefghijklmnop123", "a key"),
        ("L2hvbWUvc29tZWJvZHkveC50eHQ=", "a path"),
        ("me@labmail.com", "an e-mail"),
        ("<path-00000000>", "does not list"),
    ],
)
def test_something_secret_in_a_release_is_told_by_kind_and_not_by_value(release, text, told):
    page = next(release.rglob("runs/*/README.md"))
    page.write_text(page.read_text() + f"\n{text}\n")
    l.repin(release)
    problems = [problem for problem in verify(release).problems if told in problem]
    assert problems
    assert text.startswith("<") or not any(text in problem for problem in problems)


def test_what_is_not_complete_is_not_published(run, tmp_path):
    folder = run("single")
    next(folder.rglob("message.txt")).unlink()
    with pytest.raises(UserError, match="is not complete") as told:
        publish([folder], tmp_path / "out", tmp_path / "key", Wishes())
    assert "message.txt" in str(told.value)


def test_one_thing_has_one_placeholder_in_all_runs_of_a_release(run, tmp_path):
    runs = [run("single"), run("single-openai")]
    for folder in runs:
        l.change_json(folder / "manifest.json", lambda value: value["notes"].update(disk="/mnt/disk7/x"))
    publish(runs, tmp_path / "out", tmp_path / "key", Wishes())
    [placeholder] = json.loads((tmp_path / "out" / "release.json").read_text())["placeholders"]
    for path in (tmp_path / "out").rglob("manifest.json"):
        assert placeholder in path.read_text()
    assert verify(tmp_path / "out").problems == ()


def archive(path, members, links=()):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in members:
            info = zipfile.ZipInfo(name)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = (stat.S_IFLNK | 0o777 if name in links else 0o644) << 16
            made.writestr(info, content)
    return path


EVIL = {
    "leads out": ([("../outside.txt", b"x")], ()),
    "from the root": ([("/outside.txt", b"x")], ()),
    "by a drive": ([("C:\\outside.txt", b"x")], ()),
    "by dots within": ([("a/../../outside.txt", b"x")], ()),
    "a link": ([("link", b"/etc/passwd")], ("link",)),
    "a bomb": ([("zeros", b"\0" * (64 * 2**20))], ()),
    "twice": ([("a", b"x"), ("a", b"y")], ()),
    "no release": ([("a", b"x")], ()),
    "twice but for capitals": ([("a/README.md", b"x"), ("A/readme.md", b"y")], ()),
    "twice but for accents": ([("caf\u00e9", b"x"), ("cafe\u0301", b"y")], ()),
    "a link, then a file through it": ([("link", b"/tmp"), ("link/x", b"y")], ("link",)),
    "a name that reads backwards": ([("a\u202etxt.exe", b"x")], ()),
    "a name below a share": ([("\\\\host\\share\\x", b"x")], ()),
    "a stream of a file": ([("a.txt:hidden", b"x")], ()),
    "a folder as file": ([("a", b"x"), ("a/b", b"y")], ()),
}


@pytest.mark.parametrize(
    "kind", [stat.S_IFCHR, stat.S_IFBLK, stat.S_IFIFO, stat.S_IFSOCK], ids=["device", "disk", "pipe", "socket"]
)
def test_a_member_that_is_no_file_is_one_sentence(tmp_path, kind):
    path = tmp_path / "evil.zip"
    with zipfile.ZipFile(path, "w") as made:
        info = zipfile.ZipInfo("thing")
        info.external_attr = (kind | 0o644) << 16
        made.writestr(info, b"x")
    with pytest.raises(UserError, match="a link, a device or another thing"):
        verify(path)


@pytest.mark.parametrize("what", EVIL)
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_an_evil_archive_ends_in_one_sentence_and_writes_nothing_outside(tmp_path, monkeypatch, what):
    members, links = EVIL[what]
    path = archive(tmp_path / "evil.zip", members, links)
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    import tempfile

    monkeypatch.setattr(tempfile, "tempdir", str(below))
    with pytest.raises(UserError) as told:
        verify(path)
    assert len(str(told.value).splitlines()) == 1
    left = sorted(str(p.relative_to(tmp_path)) for p in tmp_path.rglob("*"))
    assert left == ["a", "a/b", "evil.zip"]


def test_an_archive_that_is_cut_is_one_sentence(release, bench):
    path = release.with_suffix(".zip")
    path.write_bytes(path.read_bytes()[:-100])
    ended = bench("logs", "verify", path)
    assert ended.code == 2
    assert "is no whole zip archive" in ended.err
    assert "Traceback" not in ended.err


@pytest.mark.parametrize("content", [b"", b"PK", b"not a zip", b"{}"])
def test_what_is_no_release_is_one_sentence(tmp_path, content):
    (tmp_path / "x.zip").write_bytes(content)
    for path in (tmp_path / "x.zip", tmp_path, tmp_path / "nothing"):
        with pytest.raises(UserError):
            verify(path)


@pytest.mark.parametrize("damage", ["{", "[]", "{}", '{"title": 1}'])
@pytest.mark.parametrize("name", ["release.json", "figures.json", "audit.json"])
def test_damaged_records_of_a_release_end_in_sentences(release, name, damage):
    (release / name).write_text(damage)
    try:
        assert any(name in problem for problem in verify(release).problems)
    except UserError as error:
        assert name in str(error)  # noqa: PT017  either way it is told


def test_the_commands_publish_and_verify(run, tmp_path, bench):
    folder = run("single-openai")
    ended = bench(
        "logs", "publish", folder, "--out", tmp_path / "out", "--key", tmp_path / "key", "--zip", tmp_path / "out.zip",
        "--also-licence", "Data of others=MIT", "--withhold", "*/submission/*=not ours",
    )  # fmt: skip
    assert ended.code == 0, ended.err
    ended = bench("logs", "verify", tmp_path / "out.zip", "--json")
    assert ended.code == 0, ended.err + ended.out
    assert json.loads(ended.out)["withheld"] == 8
    shutil.copy(next(folder.rglob("message.txt")), tmp_path / "out")
    assert bench("logs", "verify", tmp_path / "out").code == 2


@pytest.mark.proof
def test_a_release_is_verified_in_a_second_environment(release, tmp_path, other_environment):
    """Another interpreter, with the two packages installed by pip and no benchmark, no run and no key at hand."""
    for what in (release, release.with_suffix(".zip")):
        done = subprocess.run(
            [other_environment.python, "-m", "benchwright", "logs", "verify", str(what), "--json"],
            cwd=tmp_path, env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONPATH": str(other_environment.site)},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        found = json.loads(done.stdout)
        assert (found["runs"], found["attempts"], found["problems"]) == (3, 10, [])
    assert other_environment.python != sys.executable


def test_packing_names_no_time_and_no_owner(release):
    with zipfile.ZipFile(io.BytesIO(release.with_suffix(".zip").read_bytes())) as packed:
        assert {info.date_time for info in packed.infolist()} == {(1980, 1, 1, 0, 0, 0)}
