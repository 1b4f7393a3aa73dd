"""`bench logs …`: no logic lives here."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from benchwright.cli.options import json_option

if TYPE_CHECKING:
    from benchwright.cli.output import Output

    from benchwright_logs.known import Literal
    from benchwright_logs.redact import Rule

_run = click.argument("run", type=click.Path(path_type=Path))
_out = click.option("--out", required=True, type=click.Path(path_type=Path), help="A new folder.")
_key = click.option(
    "--key",
    type=click.Path(path_type=Path),
    help="The key behind the placeholders, made where it is absent; default: with this user's data. Keep it.",
)
_secret = click.option(
    "--secret",
    "pairs",
    multiple=True,
    metavar="name=VALUE",
    help="A text to replace by <name>, which is in lower case; repeatable.",
)
_secrets = click.option(
    "--secrets", type=click.Path(path_type=Path), help="A file of such lines, so that no shell remembers them."
)
_withhold = click.option(
    "--withhold",
    multiple=True,
    metavar="GLOB=REASON",
    help="Files to leave a stub of; `*` crosses folders; repeatable.",
)


@click.group()
def logs() -> None:
    """Complete logs of runs: check, audit, redact, publish, verify, export."""


@logs.command()
@_run
@json_option
def check(run: Path, as_json: bool) -> int:
    """Check that a run's log is complete: every file and hash, every number again from eval/, every prompt digest."""
    from benchwright.cli.output import Output, plural

    from benchwright_logs.check import check as checked

    output, found = Output(as_json), checked(run)
    output.give(found)
    _problems(output, found.problems)
    output.say(
        f"{plural(found.attempts, 'attempt')}, {plural(found.turns, 'turn')}, {plural(found.files, 'file')}, {plural(found.numbers, 'number')}: "
        f"{_ending(found.problems, found.trusted, found.withheld)}"
    )
    return 2 if found.problems else 0


@logs.command()
@click.argument("path", type=click.Path(path_type=Path))
@click.option(
    "--format",
    "wire",
    type=click.Choice(["anthropic", "openai", "openai-compatible", "codex"]),
    help="Of event files that are no run; default: told by the events.",
)
@json_option
def audit(path: Path, wire: str | None, as_json: bool) -> int:
    """Derive again, from the raw events, which turns were free of tools.

    PATH is a run folder, a file of events (also those of `codex exec --json`), or a folder with files
    events.jsonl in it. What no allow-list knows is never called free of tools. A run with a file that is not what its
    record names ends in 2.
    """
    from benchwright.cli.altered import altered
    from benchwright.cli.output import Output, plural

    from benchwright_logs.audit import audit as audited
    from benchwright_logs.audit import audit_files

    output = Output(as_json)
    is_run = (path / "manifest.json").is_file() and wire is None
    found = audited(path) if is_run else audit_files(path, wire)
    output.give(found)
    _problems(output, found.problems)
    verdicts = ", ".join(f"{count} {verdict.replace('_', ' ')}" for verdict, count in found.verdicts.items())
    output.say(
        f"{plural(len(found.turns), 'turn')}: {verdicts or 'none'}; {plural(found.passes, 'pass', 'passes')} checked. Rules of version {found.rule_version}."
    )
    changed = altered(path) if is_run else ""
    if changed:
        click.echo(changed, err=True)
    return 2 if found.problems or changed else 0


@logs.command()
@_run
@_out
@_key
@_secret
@_secrets
@_withhold
@json_option
def redact(
    run: Path,
    out: Path,
    key: Path | None,
    pairs: tuple[str, ...],
    secrets: Path | None,
    withhold: tuple[str, ...],
    as_json: bool,
) -> None:
    """Write a copy of a run in which placeholders stand for what is secret; scored bytes stay as they are.

    A run with a file that is not what its record names is refused: the copy's record would hide that.
    """
    from benchwright.cli.altered import altered
    from benchwright.cli.output import Output, plural
    from benchwright.errors import UserError

    from benchwright_logs.placeholders import Placeholders, default_key, read_key
    from benchwright_logs.redact import redact as redacted
    from benchwright_logs.redactor import Redactor

    changed = altered(run)
    if changed:
        raise UserError(changed)
    literals, rules = _given(pairs, secrets, withhold)
    placeholders = Placeholders(read_key(key or default_key(), out, run))
    done = redacted(run, out, Redactor(placeholders, literals), placeholders, rules)
    output = Output(as_json)
    output.give(done)
    for placeholder, what in done.placeholders.items():
        output.say(f"  {placeholder}  {what}")
    output.say(
        f"{plural(len(done.changed), 'file')} changed, {len(done.withheld):,} withheld, {plural(len(done.scored), 'scored file')} unchanged: {out}"
    )


@logs.command()
@click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path))
@_out
@click.option("--zip", "archive", type=click.Path(path_type=Path), help="The release as one archive as well.")
@click.option("--title", default="Logs of Benchwright runs", show_default=True)
@click.option("--licence", default="CC BY 4.0", show_default=True, help="Of the logs themselves.")
@click.option(
    "--also-licence", "further", multiple=True, metavar="CONTENT=LICENCE", help="Of further content; repeatable."
)
@_key
@_secret
@_secrets
@_withhold
@json_option
def publish(
    runs: tuple[Path, ...],
    out: Path,
    archive: Path | None,
    title: str,
    licence: str,
    further: tuple[str, ...],
    key: Path | None,
    pairs: tuple[str, ...],
    secrets: Path | None,
    withhold: tuple[str, ...],
    as_json: bool,
) -> None:
    """Write a release of complete runs: redacted, with READMEs, licences, and what it takes to verify it."""
    from benchwright.cli.output import Output, plural
    from benchwright.errors import UserError

    from benchwright_logs.placeholders import default_key
    from benchwright_logs.publish import Wishes
    from benchwright_logs.publish import publish as published
    from benchwright_logs.release import Licence

    licences = []
    for text in further:
        content, equals, terms = text.rpartition("=")
        if not equals or not content.strip() or not terms.strip():
            raise UserError(f"--also-licence {text}: expected CONTENT=LICENCE.")
        licences.append(Licence(content.strip(), terms.strip()))
    literals, rules = _given(pairs, secrets, withhold)
    wishes = Wishes(title, licence, tuple(licences), rules, tuple(literals))
    done = published(runs, out, key or default_key(), wishes, archive)
    output = Output(as_json)
    output.give(done)
    output.say(
        f"{plural(len(done.runs), 'run')}, {plural(sum(run.attempts for run in done.runs), 'attempt')}, {plural(len(done.files), 'file')}, "
        f"{plural(len(done.placeholders), 'placeholder')}: {out}{f' and {archive}' if archive else ''}"
    )
    output.say(f"Anybody can derive it again: bench logs verify {archive or out}")


@logs.command()
@click.argument("release", type=click.Path(path_type=Path))
@json_option
def verify(release: Path, as_json: bool) -> int:
    """Derive a release again, offline: hashes, completeness, audit, every figure, READMEs, and that nothing secret shows."""
    from benchwright.cli.output import Output, plural

    from benchwright_logs.verify import verify as verified

    output, found = Output(as_json), verified(release)
    output.give(found)
    _problems(output, found.problems)
    output.say(
        f"{plural(found.runs, 'run')}, {plural(found.attempts, 'attempt')}, {plural(found.files, 'file')}, {plural(found.numbers, 'number')}: "
        f"{_ending(found.problems, found.trusted, found.withheld)}"
    )
    return 2 if found.problems else 0


@logs.command()
@_run
@click.option(
    "--to", "target", required=True, type=click.Choice(["inspect", "otlp"]), help="Inspect's log JSON, or OTLP/JSON."
)
@_out
@json_option
def export(run: Path, target: str, out: Path, as_json: bool) -> None:
    """Write a run in another tool's form: one file for each model and suite.

    A run with a file that is not what its record names is refused.
    """
    from benchwright.cli.altered import altered
    from benchwright.cli.output import Output
    from benchwright.errors import UserError

    changed = altered(run)
    if changed:
        raise UserError(changed)
    if target == "inspect":
        from benchwright_logs.inspect_log import export as exported
    else:
        from benchwright_logs.otlp import export as exported
    output, written = Output(as_json), exported(run, out)
    output.give({"files": [str(path) for path in written]})
    for path in written:
        output.say(str(path))


def _given(
    pairs: Sequence[str], secrets: Path | None, withhold: tuple[str, ...]
) -> tuple[list[Literal], tuple[Rule, ...]]:
    from benchwright_logs.known import named, of_this_machine
    from benchwright_logs.redact import withholding

    return [*of_this_machine(), *named(pairs, secrets)], withholding(withhold)


def _problems(output: Output, problems: Sequence[str], most: int = 40) -> None:
    for problem in problems[:most]:
        output.say(problem)
    if len(problems) > most:
        output.say(f"and {len(problems) - most} more; --json tells all.")


def _ending(problems: Sequence[Any], trusted: int, withheld: int) -> str:
    from benchwright.counting import plural

    told = "all equal" if not problems else plural(len(problems), "problem")
    more = [f"{plural(withheld, 'file')} withheld"] if withheld else []
    more += [f"{plural(trusted, 'digest')} of the text before redaction, taken on trust"] if trusted else []
    return f"{told}{''.join(f'; {one}' for one in more)}."
