"""The published files follow from attempts and registry, byte for byte, and a check says where they do not."""

from __future__ import annotations

import html.parser
import random
import re
import shutil

import board_files as b
import msgspec
import pytest
from benchwright import pricing
from benchwright.errors import FileError, UserError
from benchwright.leaderboard import build, everything
from benchwright.leaderboard.check import check

EVIL = "<script>alert(1)</script>|`x`\n# heading"


@pytest.fixture
def root(tmp_path, known):
    attempts = [
        b.attempt(f"t{task}", model=model, draw=draw, outcome="solved" if task * draw % 5 < skill else "unsolved")
        for model, skill in (("p/good", 4), ("p/bad", 2))
        for task in range(8)
        for draw in (1, 2, 3)
    ]
    attempts += [b.attempt(f"t{task}", model="reference", answered=None) for task in range(8)]
    attempts.append(b.attempt("t1", model="p/bad", draw=4, outcome="refused", reason=EVIL))
    folder = tmp_path / "leaderboard"
    b.write(folder, attempts)
    (folder / "published").mkdir()
    (folder / "published" / "other.yaml").write_text(
        "source: another benchmark\nhome: https://example.org/board\ndate: 2026-10-28\nbeside: kernels\n"
        "what: Other tests of the same tasks.\nrows:\n  - {task: all, model: m, figure: 18/40, draws: 5}\n"
    )
    build.build(folder, known)
    return folder


def test_a_board_that_was_just_built_holds(root, known):
    found = check(root, known)
    assert found.problems == []
    assert found.attempts == 57
    assert found.figures > 100


def test_a_price_table_on_the_board_that_is_not_the_one_in_use_is_named(root, known):
    table = root / "prices.yaml"
    table.symlink_to(pricing.PATH)
    assert check(root, known).problems == []
    table.unlink()
    table.write_bytes(pricing.PATH.read_bytes() + b"# another\n")
    [problem] = check(root, known).problems
    assert problem.startswith(f"{table} is not the price table that costs are derived from")


def test_a_price_table_on_the_board_that_cannot_be_read_is_named(root, known):
    (root / "prices.yaml").mkdir()
    [problem] = check(root, known).problems
    assert str(root / "prices.yaml") in problem


def test_building_again_elsewhere_gives_the_same_bytes(root, known, tmp_path):
    copy = tmp_path / "elsewhere"
    shutil.copytree(root / "attempts", copy / "attempts")
    shutil.copytree(root / "published", copy / "published")
    build.build(copy, known)
    names = {path.name for path in root.iterdir() if path.is_file()}
    assert names == {"LEADERBOARD.md", "CALIBRATION.md", "board.json", "index.html"}
    for name in names:
        assert (copy / name).read_bytes() == (root / name).read_bytes(), name


def test_one_changed_byte_of_one_attempt_names_the_figure_and_the_file(root, known):
    [path] = (root / "attempts").glob("*.jsonl")
    raw = path.read_bytes()
    at = raw.index(b'"score":0.0', raw.index(b'"outcome":"unsolved"'))
    path.write_bytes(raw[:at] + b'"score":1.0' + raw[at + 11 :])
    problems = check(root, known).problems
    line = raw[:at].count(b"\n") + 1
    assert f"{path}:{line}: has a different hash" in problems[0]
    figure = next(problem for problem in problems if ", score: " in problem)
    assert re.search(r"p/\w+ by somebody, score: 0\.\d+ on the board, 0\.\d+ from attempts", figure)
    assert f"{path}:{line}" in figure


def _lines(raw):
    return raw.split(b"\n")[:-1]


def _joined(lines):
    return b"\n".join(lines) + b"\n"


CHANGES = {
    "a space more": lambda raw: raw.replace(b",", b", ", 1),
    "a space at the end": lambda raw: raw + b" ",
    "an empty line": lambda raw: raw + b"\n",
    "no last line end": lambda raw: raw[:-1],
    "other line ends": lambda raw: raw.replace(b"\n", b"\r\n"),
    "a byte order mark": lambda raw: b"\xef\xbb\xbf" + raw,
    "a line twice": lambda raw: _joined([*_lines(raw), _lines(raw)[-1]]),
    "a line of another place at the end": lambda raw: _joined([*_lines(raw), _lines(raw)[3]]),
    "two lines swapped": lambda raw: _joined([*(found := _lines(raw))[:1], found[2], found[1], *found[3:]]),
    "a line less": lambda raw: _joined(_lines(raw)[:-1]),
    "a line less within": lambda raw: _joined([*_lines(raw)[:4], *_lines(raw)[5:]]),
    "no head": lambda raw: _joined(_lines(raw)[1:]),
    "nothing": lambda raw: b"",
    "an unknown outcome": lambda raw: raw.replace(b'"outcome":"solved"', b'"outcome":"solve "', 1),
    "a score beyond one": lambda raw: raw.replace(b'"score":1.0', b'"score":7.0', 1),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_whatever_is_changed_in_the_attempts_is_found_and_the_file_named(root, known, change):
    [path] = (root / "attempts").glob("*.jsonl")
    raw = path.read_bytes()
    assert change(raw) != raw
    path.write_bytes(change(raw))
    assert path.name in check(root, known).problems[0]


@pytest.mark.proof
def test_two_hundred_single_bytes_changed_at_random_are_each_found(root, known):
    chance = random.Random(20261130)
    [path] = (root / "attempts").glob("*.jsonl")
    raw = path.read_bytes()
    for _ in range(200):
        at = chance.randrange(len(raw))
        new = chance.choice([byte for byte in (*b" \t\r\n0123456789", chance.randrange(256)) if byte != raw[at]])
        path.write_bytes(raw[:at] + bytes([new]) + raw[at + 1 :])
        assert str(path) in check(root, known).problems[0], (at, new)


def test_a_changed_byte_that_moves_no_figure_is_found_too(root, known):
    [path] = (root / "attempts").glob("*.jsonl")
    path.write_bytes(path.read_bytes().replace(b'"seconds":0.1', b'"seconds":0.2', 1))
    problems = check(root, known).problems
    assert any("different hash" in problem for problem in problems)


def test_an_attempt_that_is_no_longer_json_is_named(root, known):
    [path] = (root / "attempts").glob("*.jsonl")
    path.write_bytes(path.read_bytes().replace(b'"outcome":', b'"outcome"x', 1))
    assert "different hash" in check(root, known).problems[0]


@pytest.mark.parametrize("name", ["LEADERBOARD.md", "CALIBRATION.md", "board.json", "index.html"])
def test_a_page_that_was_touched_or_lost_is_named(root, known, name):
    path = root / name
    content = path.read_text()
    digits = re.search(r"0\.\d\d", content)
    assert digits is not None
    path.write_text(content[: digits.start()] + "0.99" + content[digits.end() :])
    assert any(name in problem for problem in check(root, known).problems)
    path.unlink()
    assert any(name in problem and "not there" in problem for problem in check(root, known).problems)


def test_an_attempt_under_another_name_than_its_own_is_found(root, known):
    folder = root / "attempts"
    one = b.attempt("t0", model="p/good")
    b.write(root, [msgspec.structs.replace(one, attempt="0" * 16)], run="20261101-100000-bbbb")
    build.build(root, known)
    [problem] = check(root, known).problems
    assert str(folder / "20261101-100000-bbbb.jsonl:2") in problem


def test_a_cost_that_does_not_follow_from_its_tokens_is_found(root, known):
    from benchwright import pricing

    table = pricing.load_prices()
    model, [price, *_] = next(iter(table.by_model.items()))
    usage = b.tokens(1000, 500)
    cost = table.cost(usage, model, price.since)
    assert cost is not None
    prices = {"day": price.since}
    right = b.attempt("t0", model=model, usage=usage, cost=cost)
    b.write(root, [right], run="20261101-100000-bbbb", prices=prices)
    build.build(root, known)
    assert check(root, known).problems == []
    wrong = [
        msgspec.structs.replace(right, cost_usd=cost * 1.01),
        b.attempt("t1", model=model, usage=None, cost=0.1),
        b.attempt("t1", model="p/unpriced", usage=usage, cost=0.1),
    ]
    b.write(root, wrong, run="20261101-100000-bbbb", prices=prices)
    build.build(root, known)
    problems = check(root, known).problems
    assert len(problems) == 3
    assert all("20261101-100000-bbbb.jsonl:" in problem for problem in problems)


def test_what_others_published_stands_beside_and_never_inside(root):
    text = (root / "LEADERBOARD.md").read_text()
    assert "another benchmark, 2026-10-28 (not re-derivable here)" in text
    boards = msgspec.json.decode((root / "board.json").read_bytes())["boards"]
    assert "18/40" not in str(boards)


def test_a_published_figure_without_a_source_is_refused(root, known):
    path = root / "published" / "other.yaml"
    path.write_text(path.read_text().replace("home: https://example.org/board", "home: ''"))
    with pytest.raises(FileError, match="names no source, home or date"):
        build.build(root, known)


def with_baselines(
    root,
    text='{"learner": "nearest mean", "evaluated_on": "test", "points": [{"labels": 100, "accuracies": [0.5, 0.7]}]}',
):
    (root / "baselines").mkdir()
    path = root / "baselines" / "handnet.json"
    path.write_text('{"canary": "c", "tasks": {"mnist": [' + text + "]}}")
    return path


def test_trained_baselines_stand_on_the_calibration_page_and_a_changed_one_is_found(root, known):
    path = with_baselines(root)
    build.build(root, known)
    assert "| handnet/mnist | nearest mean | 0.600 (0.500 to 0.700) | test |" in (root / "CALIBRATION.md").read_text()
    assert "nearest mean" not in (root / "LEADERBOARD.md").read_text()
    assert everything.read(root).baselines[0].points[0].accuracy == 0.6
    assert check(root, known).problems == []
    path.write_text(path.read_text().replace("0.7", "0.8"))
    assert any("handnet/mnist" in problem and "0.6 on the board" in problem for problem in check(root, known).problems)


@pytest.mark.parametrize(
    "text",
    ['{"learner": "x"}', '{"learner": "x", "evaluated_on": "y", "points": [{"labels": 1, "accuracies": [1.2]}]}'],
)
def test_a_bad_record_of_baselines_is_refused_by_name(root, known, text):
    with_baselines(root, text)
    with pytest.raises(FileError, match=r"handnet\.json: is no record of baselines"):
        build.build(root, known)


def test_a_published_board_reads_back_as_what_was_derived(root, known):
    assert everything.read(root) == everything.collect(root, known)
    (root / "board.json").write_text("{}")
    with pytest.raises(FileError, match="is not a board that this bench wrote"):
        everything.read(root)
    (root / "board.json").unlink()
    with pytest.raises(FileError, match="is not there; bench leaderboard build writes it"):
        everything.read(root)


def test_a_folder_that_is_no_leaderboard_is_refused(tmp_path, known):
    with pytest.raises(UserError, match=r"is no leaderboard: .* begins one"):
        build.build(tmp_path, known)


class Page(html.parser.HTMLParser):
    """Collects tags and what they would load."""

    def __init__(self) -> None:
        super().__init__()
        self.scripts = 0
        self.loads: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.scripts += tag == "script"
        for name, value in attrs:
            if name in ("src", "srcset", "data", "action", "poster") or (name == "href" and tag == "link"):
                self.loads.append(value or "")


def test_the_page_needs_nothing_beside_itself_and_escapes_what_models_wrote(tmp_path, known):
    folder = tmp_path / "leaderboard"
    fields = {"outcome": "unsolved", "failed_checks": [EVIL]}
    b.write(
        folder, [b.attempt("a", model=EVIL), b.attempt("a", model="p/x", **fields), b.attempt("a", model="reference")]
    )
    build.build(folder, known)
    text = (folder / "index.html").read_text()
    page = Page()
    page.feed(text)
    assert page.scripts == 1
    assert page.loads == ["data:,"]
    assert "url(" not in text
    assert "<script>alert" not in text
    assert "default-src 'none'" in text
    markdown = (folder / "LEADERBOARD.md").read_text()
    assert "<script>" not in markdown
    assert "\n# heading" not in markdown


def test_nothing_measured_prints_as_not_run(tmp_path, known):
    folder = tmp_path / "leaderboard"
    b.write(folder, [b.attempt("a", outcome="needs_data", answered=None)])
    build.build(folder, known)
    assert "not run" in (folder / "LEADERBOARD.md").read_text()
    assert "not run" in (folder / "index.html").read_text()
