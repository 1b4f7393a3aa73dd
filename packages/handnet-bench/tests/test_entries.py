"""Entries that were handed in, kept as they were: an honest one breaks no rule, a refused one is refused by the rules told of."""

from pathlib import Path

import pytest
from handnet_bench import scoring, tasks
from handnet_bench.rules import source

ENTRIES = Path(__file__).parents[1] / "entries"
BROKEN = {"blind_mnist": set(), "blind_sst2": {"literal-in-predict"}}


@pytest.mark.parametrize("entry", sorted(path.name for path in ENTRIES.iterdir() if path.is_dir()))
def test_the_rules_that_read_a_file_say_of_an_entry_what_its_page_says(entry):
    task = tasks.BY_SLUG[entry.partition("_")[2]]
    found = scoring.static(source.read((ENTRIES / entry / "net.py").read_bytes()), task)
    assert {violation.rule for violation in found} == BROKEN[entry]


def test_every_entry_and_every_broken_rule_is_told_of():
    page = (ENTRIES / "README.md").read_text()
    for entry, rules in BROKEN.items():
        assert f"`{entry}/net.py`" in page
        assert all(f"`{rule}`" in page for rule in rules)
