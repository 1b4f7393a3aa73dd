"""What a release is: `release.json`, and the READMEs that are written from it and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec
from benchwright.errors import FileError

from benchwright_logs.figures import BEHIND, FIELDS, Row

NAME = "release.json"
FIGURES = "figures.json"
AUDIT = "audit.json"
README = "README.md"
RUNS = "runs"
SCHEMA = 1


class Licence(msgspec.Struct, frozen=True):
    """Under what terms a part of the release stands."""

    content: str
    licence: str


class PublishedRun(msgspec.Struct, frozen=True):
    """A run of the release."""

    run: str
    created: str
    models: list[str]
    suites: list[str]
    protocols: list[str]
    attempts: int
    versions: dict[str, str]
    isolation: list[str]
    verdicts: dict[str, int]
    """What the audit says of the turns: verdict -> how many."""
    withheld: int


class Release(msgspec.Struct, frozen=True):
    """The record in `release.json`. It names every other file of the release with its sha256."""

    title: str
    runs: list[PublishedRun]
    licences: list[Licence]
    placeholders: dict[str, str]
    rules: dict[str, int]
    """Versions of the audit's allow-lists and of the redaction's patterns."""
    versions: dict[str, str]
    files: dict[str, str]
    schema: int = SCHEMA


def read_release(folder: Path, content: bytes) -> Release:
    """The release of a folder. Raises FileError where the file is damaged or of a newer schema."""
    place = folder / NAME
    try:
        found = msgspec.json.decode(content, type=Release)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise FileError(place, f"is no record of a release: {error}") from None
    if found.schema > SCHEMA:
        raise FileError(
            place, f"has schema {found.schema}, and this version reads up to {SCHEMA}; upgrade benchwright-logs."
        )
    return found


def readme(release: Release, rows: Sequence[Row]) -> bytes:
    """The README of the release: which run is which row, what lies where, what placeholders stand for."""
    lines = [
        f"# {release.title}",
        "",
        "Complete logs of Benchwright runs: everything the models were sent, everything they sent back, every piece of",
        "code that was run with its output, the submissions, and the verdict behind each number.",
        "",
        "`bench logs verify .` derives every number again from these files, offline.",
        "",
        "## Which run is which row",
        "",
        "| suite | model | solved | score | 95% interval | without evidence | run |",
        "|---|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {row.suite} | {_cell(row.model)} | {row.figures['solved']}/{row.figures['evidence']} | "
        f"{number(row.figures['score'])} | {_interval(row)} | {row.figures['without_evidence']} | "
        f"[{row.run}]({RUNS}/{row.run}/README.md) |"
        for row in rows
    ]
    lines += ["", "## Runs", ""]
    for run in release.runs:
        audit = ", ".join(f"{count} {verdict.replace('_', ' ')}" for verdict, count in run.verdicts.items()) or "none"
        lines.append(
            f"- `{RUNS}/{run.run}/`: {', '.join(run.suites)}; {_cell(', '.join(run.models))}; {run.attempts} attempts; protocol "
            f"{', '.join(run.protocols)}; walls {', '.join(run.isolation)}; turns by the audit: {audit}; "
            f"{run.withheld} files withheld."
        )
    lines += [
        "",
        "## Files",
        "",
        "| file | what it is |",
        "|---|---|",
        f"| `{NAME}` | this release: runs, licences, placeholders, and the sha256 of every file |",
        f"| `{FIGURES}` | every number above, with the lines and fields of `attempts.jsonl` it comes from |",
        f"| `{AUDIT}` | the audit of each turn's raw events, rule version {release.rules['audit']} |",
        "| `runs/RUN/manifest.json` | plan, versions, digests, prices, environment, walls |",
        "| `runs/RUN/attempts.jsonl` | one line an attempt |",
        "| `runs/RUN/redaction.json` | files in which placeholders stand, files withheld, hashes of all scored files |",
        "| `runs/RUN/BENCHMARK/TASK/MODEL/draw-NN/` | one attempt |",
        "| … `turn-NN/message.txt` | what was sent; `turn-01/attachments/` what was attached |",
        "| … `turn-NN/events.jsonl` | the provider's raw events |",
        "| … `turn-NN/answer.md` | the model's reply |",
        "| … `turn-NN/run.json` | model, settings, tokens, seconds, hashes |",
        "| … `tool_calls.jsonl` | code that was run, with its output |",
        "| … `submission/`, `eval/` | what was graded, and the verdict; `round-NN/` those of earlier rounds |",
        "| … `*.withheld.json` | a file that is not here: its sha256, its size, and why |",
        "",
        "## Licences",
        "",
        "| content | licence |",
        "|---|---|",
        *(f"| {_cell(one.content)} | {_cell(one.licence)} |" for one in release.licences),
        "",
        "## Placeholders",
        "",
    ]
    if release.placeholders:
        lines += [
            "One thing has one placeholder in every file.",
            "",
            "| placeholder | stands for |",
            "|---|---|",
            *(f"| `{placeholder}` | {_cell(what)} |" for placeholder, what in sorted(release.placeholders.items())),
        ]
    else:
        lines.append("None: nothing had to be replaced.")
    return ("\n".join(lines) + "\n").encode()


def run_readme(run: PublishedRun, rows: Sequence[Row]) -> bytes:
    """The README of a run: each row's numbers, and which file each comes from."""
    lines = [f"# Run {run.run}", ""]
    for row in rows:
        lines += [
            f"## {row.suite}, {_cell(row.model)}",
            "",
            f"Lines {_spans([source.line for source in row.attempts])} of `attempts.jsonl`.",
            "",
            "| number | value | field of `attempts.jsonl` | derived again from |",
            "|---|---|---|---|",
            *(
                f"| {name} | {number(value)} | `{FIELDS[name]}` | {BEHIND.get(FIELDS[name].split('.')[0], 'manifest.json')} |"
                for name, value in row.figures.items()
            ),
            "",
        ]
    return "\n".join(lines).encode()


def number(value: float | int | None) -> str:
    """A number for a person; None is told as what it is."""
    if value is None:
        return "not run"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _interval(row: Row) -> str:
    low, high = row.figures["low"], row.figures["high"]
    return "not run" if low is None or high is None else f"{low:.2f} to {high:.2f}"


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())


def _spans(numbers: Sequence[int]) -> str:
    """`1-4, 7` for 1, 2, 3, 4, 7."""
    spans: list[list[int]] = []
    for one in sorted(numbers):
        if spans and one == spans[-1][1] + 1:
            spans[-1][1] = one
        else:
            spans.append([one, one])
    return ", ".join(str(low) if low == high else f"{low}-{high}" for low, high in spans)
