"""`bench`: one file a group of commands, imported when the command is asked for; no logic lives here."""

from __future__ import annotations

import errno
import importlib
import io
import os
import sys
from collections.abc import Callable
from typing import Any, NoReturn

import click

from benchwright.errors import BenchError

COMMANDS: dict[str, tuple[str, str]] = {
    "run": ("run:run", "Run models on tasks; the same command continues a run that was cut."),
    "score": ("score:score", "Grade files of your own on a task."),
    "devreport": ("score:devreport", "Show the development report on files of your own."),
    "prompt": ("tasks:prompt", "Show exactly what a model is sent for a task."),
    "list": ("tasks:list_tasks", "List tasks, or the parameters of benchmarks."),
    "report": ("report:report", "Show what a run measured, with intervals."),
    "costs": ("costs:costs", "Derive what a run cost again, from its tokens and the price table."),
    "regrade": ("regrade:regrade", "Grade the stored submissions of a run again, without a call."),
    "validate": ("validate:validate", "Prove of each task that its reference solves it and its starter does not."),
    "plugins": ("installation:plugins", "Show the installed benchmarks, and what is wrong with broken ones."),
    "doctor": ("installation:doctor", "Check this machine: walls, versions, what is missing and how to add it."),
    "compare": ("compare:compare", "Compare runs, models or other tools' logs: paired difference with interval."),
    "leaderboard": ("leaderboard:leaderboard", "Add runs to the board, build it, check that it re-derives."),
    "import": ("importing:importing", "Read another tool's log as a run that compare and report work on."),
    "sync": ("tracking:sync", "Send runs to MLflow; what is there already stays."),
    "ui": ("tracking:ui", "Open MLflow on this machine and print its links."),
    "registry": ("registry:registry", "Check or pin what the boards are built from."),
}
"""Command to (`module:object` below this package, help in a line)."""


INTERRUPTED = 130
"""Exit code after Ctrl-C."""


_SURROUNDINGS = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM, errno.EMFILE, errno.ENFILE)
"""What a machine does to any program: no space, no right, no more open files. No defect, and no traceback."""

_NAMED = (errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.EEXIST)
"""What a path does that a person named: it is not there, or a file where a folder is needed, or the other way round."""


class Bench(click.Group):
    """The commands above, then those that plugins add; neither is imported before it is needed."""

    _extra: click.Group | None = None

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Every command, those of plugins last."""
        return [*COMMANDS, *sorted(self._plugin_commands().commands)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name, imported now."""
        if cmd_name not in COMMANDS:
            return self._plugin_commands().commands.get(cmd_name)
        module, _, name = COMMANDS[cmd_name][0].partition(":")
        command: click.Command = getattr(importlib.import_module(f"{__name__}.{module}"), name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does, with the nearest name where there is none."""
        if args and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            from benchwright.names import suggest

            ctx.fail(f"No command `{args[0]}`.{suggest(args[0], self.list_commands(ctx))} `bench --help` lists all.")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, from the lines above."""
        rows = [(name, text) for name, (_, text) in COMMANDS.items()]
        extra = self._plugin_commands().commands
        with formatter.section("Commands"):
            formatter.write_dl(rows)
        if extra:
            with formatter.section("Commands of benchmarks"):
                formatter.write_dl([(name, command.get_short_help_str(80)) for name, command in sorted(extra.items())])

    def _plugin_commands(self) -> click.Group:
        if self._extra is None:
            from benchwright import blame, plugins

            extra = click.Group()
            found = plugins.load()
            for name, benchmark in found.benchmarks.items():
                try:
                    found.call(name, "register_commands", extra)
                except Exception as error:  # noqa: BLE001  a stranger's module; `bench` itself goes on
                    why = str(error) if isinstance(error, BenchError) else blame.told(error, benchmark.module.__name__)
                    click.echo(f"{benchmark.distribution} could not add its commands: {why}", err=True)
            taken = sorted(set(extra.commands) & set(COMMANDS))
            if taken:
                raise BenchError(f"A plugin adds the command `{taken[0]}`, which `bench` has already.")
            self._extra = extra
        return self._extra


@click.command(cls=Bench, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="benchwright", prog_name="bench")
def bench() -> None:
    """Benchmarks whose answer is a mechanism, run and checked exactly."""


def main() -> NoReturn:
    """The console script. Errors a person can mend end in one sentence and exit code 2."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a letter shows its number, and nothing fails for it.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    code = _ending(lambda: bench.main(prog_name="bench", standalone_mode=False))
    if code == INTERRUPTED:
        # A grading that still runs in a thread would hold the process until it ends.
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    sys.exit(code)


def _sentence(error: click.ClickException) -> str:
    """What click found wrong, without its lines on usage; `--help` has those."""
    context = getattr(error, "ctx", None)
    text = error.format_message()
    if "Usage: " in text or not isinstance(error, click.UsageError):
        return text  # the help itself, for a group that was named alone
    where = context.command_path if context is not None else "bench"
    help_named = "" if "--help" in text else f" See `{where} --help`."
    return f"{where}: {' '.join(text.split())}{help_named}"


def _ending(work: Callable[[], Any]) -> int:
    """Runs a command and gives the exit code."""
    try:
        given = work()
        sys.stdout.flush()
        return given if isinstance(given, int) else 0
    except click.exceptions.Exit as ended:
        return ended.exit_code
    except click.ClickException as error:
        click.echo(_sentence(error), err=True)
        return error.exit_code
    except BenchError as error:
        click.echo(str(error), err=True)
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        click.echo("Interrupted.", err=True)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader went away (`bench list | head`); nothing is wrong, and nothing more can be said there.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        if error.errno in _NAMED and error.filename:
            click.echo(f"{error.filename}: {error.strerror}. Name another path, or mend this one.", err=True)
            return 2
        if error.errno not in _SURROUNDINGS:
            raise
        place = f"{error.filename}: " if error.filename else ""
        click.echo(f"{place}{error.strerror}. Nothing that was written is lost; give the same command again.", err=True)
        return 2
