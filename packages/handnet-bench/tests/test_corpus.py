"""The rules on a corpus: every cheat refused by the rule it breaks, no honest file refused."""

from pathlib import Path

import pytest
from handnet_bench import datasets, scoring, tasks
from handnet_bench.rules import behaviour, source
from handnet_corpus import (
    files,
    hidden_cheats,
    honest,
    more_honest,
    running_cheats,
    second_cheats,
    static_cheats,
    third_cheats,
)
from handnet_corpus.table import Row, show


def inputs_for(slug, request):
    if slug == "sst2":
        rows = datasets.load("sst2", "development", request.getfixturevalue("sst2_folder"))
        return behaviour.Inputs(
            rows.inputs,
            rows.labels,
            rows.inputs,
            rows.labels,
            [[*t, "qvx"] for t in rows.inputs],
            rows.inputs,
            rows.labels,
            range(len(rows.labels)),
        )
    return scoring.rule_inputs(slug, Path())


def violations(slug, text, sandbox, request):
    task = tasks.BY_SLUG[slug]
    read = source.read(text.encode())
    found = scoring.static(read, task)
    return found or scoring.dynamic(task, read, inputs_for(slug, request), sandbox, task.limits)


def test_the_corpus_is_as_large_as_it_is_said_to_be():
    assert len(static_cheats.CHEATS) + len(running_cheats.CHEATS) + len(LATER) + len(files.CHEATS) >= 305
    assert len(HONEST) + len(files.HONEST) >= 65


def test_reading_refuses_every_static_cheat_by_the_rule_it_breaks(capsys):
    rows = []
    for name, (slug, rule, text) in static_cheats.CHEATS.items():
        found = scoring.static(source.read(text.encode()), tasks.BY_SLUG[slug])
        rows.append(Row(name, slug, rule, tuple(sorted({v.rule for v in found}))))
    with capsys.disabled():
        print(show(rows))
    assert [row for row in rows if row.expected not in row.got] == []


@pytest.mark.parametrize("name", list(running_cheats.CHEATS))
def test_running_refuses_a_cheat_by_the_rule_it_breaks(name, sandbox, request):
    slug, rule, text = running_cheats.CHEATS[name]
    read, task = source.read(text.encode()), tasks.BY_SLUG[slug]
    # Reading may know the answer's formula; running has to notice without.
    assert {v.rule for v in scoring.static(read, task)} <= {"answer-in-code"}
    found = scoring.dynamic(task, read, inputs_for(slug, request), sandbox, task.limits)
    assert rule in {v.rule for v in found}


LATER = {**second_cheats.CHEATS, **third_cheats.CHEATS, **hidden_cheats.CHEATS}


@pytest.mark.parametrize("name", list(LATER))
def test_a_cheat_of_the_later_attacks_is_refused_by_the_rule_it_breaks(name, sandbox, request):
    slug, rule, text = LATER[name]
    assert rule in {v.rule for v in violations(slug, text, sandbox, request)}


SHOWN = [
    "columns by slices of ranges",
    "pairs taken out among decoys",
    "a mask that knows",
    "two names that read alike",
    "a table in shapes",
    "a table of free numbers",
    "sketches in signs of zeros",
]
"""One of each kind of the sixth attack; the others are proofs."""


@pytest.mark.parametrize("name", SHOWN)
def test_a_cheat_of_each_kind_of_the_sixth_attack_is_refused(name, sandbox, request):
    slug, rule, text = files.CHEATS[name]
    assert rule in {v.rule for v in violations(slug, text, sandbox, request)}


@pytest.mark.proof
@pytest.mark.parametrize("name", [name for name in files.CHEATS if name not in SHOWN])
def test_every_cheat_of_the_sixth_attack_is_refused(name, sandbox, request):
    slug, rule, text = files.CHEATS[name]
    assert rule in {v.rule for v in violations(slug, text, sandbox, request)}


@pytest.mark.parametrize("name", ["addition a state that begins in eye", "dyck1 integers", "induction integers"])
def test_honest_files_of_whole_numbers_raise_no_alarm(name, sandbox, request):
    slug, text = files.HONEST[name]
    assert violations(slug, text, sandbox, request) == []


@pytest.mark.proof
@pytest.mark.parametrize("name", list(files.HONEST))
def test_honest_files_in_new_styles_raise_no_alarm(name, sandbox, request):
    slug, text = files.HONEST[name]
    assert violations(slug, text, sandbox, request) == []


HONEST = {**honest.HONEST, **more_honest.HONEST, **hidden_cheats.HONEST}
SLOW = ("reference m", "reference s", "addition by tables", "edges", "two layers", "zones", "a cell", "a finite-state")
QUICK = [name for name in HONEST if not name.startswith(SLOW)]


@pytest.mark.parametrize("name", QUICK)
def test_an_honest_file_raises_no_alarm(name, sandbox, request):
    slug, text = HONEST[name]
    assert violations(slug, text, sandbox, request) == []


@pytest.mark.proof
@pytest.mark.parametrize("name", [name for name in HONEST if name not in QUICK])
def test_a_larger_honest_file_raises_no_alarm(name, sandbox, request):
    slug, text = HONEST[name]
    assert violations(slug, text, sandbox, request) == []


@pytest.mark.proof
@pytest.mark.parametrize("name", list(files.KNOWN_MISSES))
def test_a_known_miss_of_the_sixth_attack_is_still_missed_and_said_to_be(name, sandbox, request):
    slug, text = files.KNOWN_MISSES[name]
    assert violations(slug, text, sandbox, request) == [], (
        "it is caught now: name the rule in its first line and mend docs/handnet/rules.md"
    )


@pytest.mark.parametrize("name", list(running_cheats.KNOWN_MISSES))
def test_a_known_miss_is_still_missed_and_said_to_be(name, sandbox, request):
    slug, text = running_cheats.KNOWN_MISSES[name]
    assert violations(slug, text, sandbox, request) == [], (
        "it is caught now: move it to CHEATS and mend docs/handnet/rules.md"
    )


def test_every_violation_names_a_line_that_exists_and_says_why():
    for slug, _, text in (*static_cheats.CHEATS.values(), *LATER.values()):
        for violation in scoring.static(source.read(text.encode()), tasks.BY_SLUG[slug]):
            file, _, line = violation.where.rpartition(":")
            assert file == "net.py"
            assert 1 <= int(line) <= text.count("\n") + 1
            assert len(violation.why) > 10


def test_honest_files_pass_the_rules_that_read():
    for name, (slug, text) in HONEST.items():
        assert scoring.static(source.read(text.encode()), tasks.BY_SLUG[slug]) == [], name
