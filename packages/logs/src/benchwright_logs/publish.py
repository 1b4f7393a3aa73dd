"""A release: redacted runs, READMEs, licences, and a record that lets anybody derive every number again."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Sequence
from pathlib import Path

import msgspec
from benchwright import digests
from benchwright.errors import UserError
from benchwright.journal import read_attempts, read_manifest

import benchwright_logs
from benchwright_logs import release as releases
from benchwright_logs.audit import Audited, audit
from benchwright_logs.check import check
from benchwright_logs.figures import Row, rows
from benchwright_logs.known import Literal
from benchwright_logs.packed import pack
from benchwright_logs.placeholders import Placeholders, read_key
from benchwright_logs.redact import Rule, redact
from benchwright_logs.redactor import RULES, Redactor
from benchwright_logs.release import AUDIT, FIGURES, README, RUNS, Licence, PublishedRun, Release
from benchwright_logs.rules import RULE_VERSION
from benchwright_logs.tree import Tree, new_folder, write

_SHOWN = 8
LOGS = "Logs, submissions and verdicts"


class Wishes(msgspec.Struct, frozen=True):
    """What the publisher decides."""

    title: str = "Logs of Benchwright runs"
    licence: str = "CC BY 4.0"
    """Of the logs themselves."""
    licences: tuple[Licence, ...] = ()
    """Of further content: data of others, networks."""
    withhold: tuple[Rule, ...] = ()
    literals: tuple[Literal, ...] = ()


def publish(runs: Sequence[Path], out: Path, key: Path, wishes: Wishes, archive: Path | None = None) -> Release:
    """Writes a release of `runs` to `out`, which must be absent or empty, and as a zip archive to `archive`.

    Raises UserError where a run is not complete, with every reason, and where something secret stands in a
    place that can neither be changed nor withheld.
    """
    new_folder(out, *runs)
    secret = read_key(key, out, *runs)
    placeholders = Placeholders(secret)
    own = Literal("key", secret.decode("latin-1"), "the publisher's key", whole=False)
    redactor = Redactor(placeholders, (*wishes.literals, own))
    published: list[PublishedRun] = []
    audits: dict[str, Audited] = {}
    found: list[Row] = []
    for run in runs:
        _refuse_incomplete(run)
        name = read_manifest(run).run
        if name in audits:
            raise UserError(f"{run}: the run {name} is named twice.")
        target = out / RUNS / name
        redaction = redact(run, target, redactor, placeholders, wishes.withhold)
        _refuse_incomplete(target)
        audits[name] = audit(target)
        own_rows = rows(target)
        found += own_rows
        published.append(_described(target, audits[name], len(redaction.withheld)))
        write(target, README, releases.run_readme(published[-1], own_rows))
    release = Release(
        title=redactor.text(wishes.title),
        runs=published,
        licences=_licences(published, wishes),
        placeholders=dict(sorted(placeholders.table.items())),
        rules={"audit": RULE_VERSION, "redaction": RULES},
        versions={"benchwright-logs": benchwright_logs.__version__, "benchwright": _version("benchwright")},
        files={},
    )
    write(out, README, releases.readme(release, found))
    write(out, FIGURES, _pretty(found))
    write(out, AUDIT, _pretty(audits))
    tree = Tree(out)
    files = {name: digests.sha256(tree.read(name)) for name in sorted(tree.files)}
    release = msgspec.structs.replace(release, files=files)
    write(out, releases.NAME, _pretty(release))
    if archive is not None:
        pack(out, archive)
    return release


def _pretty(value: object) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n"


def _refuse_incomplete(run: Path) -> None:
    problems = check(run).problems
    if problems:
        shown = [f"  - {problem}" for problem in problems[:_SHOWN]]
        if len(problems) > _SHOWN:
            shown.append(f"  - and {len(problems) - _SHOWN} more of the kind")
        raise UserError("\n".join([f"{run} cannot be published, its log is not complete:", *shown]))


def _described(run: Path, audited: Audited, withheld: int) -> PublishedRun:
    manifest, attempts = read_manifest(run), read_attempts(run)
    return PublishedRun(
        run=manifest.run,
        created=manifest.created,
        models=sorted({attempt.model.name for attempt in attempts}),
        suites=sorted({attempt.task.suite for attempt in attempts}),
        protocols=sorted({attempt.protocol.kind for attempt in attempts}),
        attempts=len(attempts),
        versions=manifest.versions,
        isolation=sorted({attempt.isolation for attempt in attempts}),
        verdicts=audited.verdicts,
        withheld=withheld,
    )


def _licences(runs: Sequence[PublishedRun], wishes: Wishes) -> list[Licence]:
    """The logs, each benchmark by what its distribution says of itself, and what the publisher adds."""
    found = [Licence(LOGS, wishes.licence)]
    for name in sorted({name for run in runs for name in run.versions if name != "python"}):
        found.append(Licence(f"Prompts and code of {name}", _licence_of(name)))
    return [*found, *wishes.licences]


def _licence_of(distribution: str) -> str:
    try:
        told = importlib.metadata.metadata(distribution)
    except importlib.metadata.PackageNotFoundError:
        return "as that package says"
    for field in ("License-Expression", "License"):
        if field in told:
            return told[field]
    return "as that package says"


def _version(distribution: str) -> str:
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return "unknown"
