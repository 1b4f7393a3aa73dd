"""The whole table of the rule corpus: every cheat and every honest file, by which rules it was refused.

    python benchmarks/handnet_rules.py [--markdown] [--only TEXT]

Reads SST-2's development sentences from the data folder for the two files that need them; they are left out and
named where it is not there.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from benchwright import folders
from benchwright.sandbox import Sandbox
from handnet_bench import datasets, scoring, tasks
from handnet_bench.rules import behaviour, source

sys.path.insert(0, str(Path(__file__).parents[1] / "packages" / "handnet-bench" / "tests"))

from handnet_corpus import (
    files,
    hidden_cheats,
    honest,
    more_honest,
    ready_cheats,
    running_cheats,
    second_cheats,
    standing_cheats,
    static_cheats,
    third_cheats,
)
from handnet_corpus.table import Row, show


def inputs(slug: str) -> behaviour.Inputs:
    if slug != "sst2":
        return scoring.rule_inputs(slug, folders.data())
    rows = datasets.load(slug, "development", folders.data())
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", metavar="TEXT", default="", help="only files with this in their name")
    parser.add_argument("--markdown", action="store_true", help="as the table of the documentation")
    options = parser.parse_args()
    rows = []
    cheats = {
        **static_cheats.CHEATS,
        **running_cheats.CHEATS,
        **second_cheats.CHEATS,
        **third_cheats.CHEATS,
        **ready_cheats.CHEATS,
        **hidden_cheats.CHEATS,
        **standing_cheats.CHEATS,
        **files.CHEATS,
    }
    honests = {**honest.HONEST, **more_honest.HONEST, **ready_cheats.HONEST, **hidden_cheats.HONEST, **files.HONEST}
    misses = {**running_cheats.KNOWN_MISSES, **files.KNOWN_MISSES}
    every = [(name, *cheat) for name, cheat in cheats.items()]
    every += [(name, t, "(cannot be decided)", text) for name, (t, text) in misses.items()]
    every += [(name, t, "", text) for name, (t, text) in honests.items()]
    every = [file for file in every if options.only in file[0]]
    with Sandbox() as sandbox:
        for name, slug, rule, text in every:
            task, read = tasks.BY_SLUG[slug], source.read(text.encode())
            found = scoring.static(read, task)
            # A cheat that has to show when it runs is run, too, where reading knows the answer's formula.
            if not found or (rule and {v.rule for v in found} == {"answer-in-code"} != {rule}):
                try:
                    found += scoring.dynamic(task, read, inputs(slug), sandbox, task.limits)
                except datasets.NeedsData as error:
                    print(f"left out: {name}: {error}", file=sys.stderr)
                    continue
            rows.append(Row(name, slug, rule, tuple(sorted({v.rule for v in found}))))
    if options.markdown:
        print("| file | task | has to be refused by | verdict | rules |\n|---|---|---|---|---|")
        for row in rows:
            print(f"| {row.name} | {row.task} | {row.expected or '(honest)'} | {row.verdict} | {', '.join(row.got)} |")
        return
    print(show(rows))


if __name__ == "__main__":
    main()
