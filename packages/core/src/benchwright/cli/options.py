"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])


class Amount(click.FloatRange):
    """A finite number above 0, or from `min` on; `nan` and `inf` are numbers to Python, and no amount to anybody."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """As click does, refusing what is not finite."""
        import math

        number = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value} is no finite number.", param, ctx)
        return number


class FilePath(click.Path):
    """A path that is not empty: an empty one, from a variable that is not set, would mean the working folder."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """As click does, refusing the empty text."""
        if value == "":
            self.fail("a path is expected, and the text is empty.", param, ctx)
        return super().convert(value, param, ctx)


json_option = click.option(
    "--json", "as_json", is_flag=True, help="Machine output on standard output, the rest on standard error."
)
out_option = click.option(
    "--out",
    type=FilePath(),
    help="The run folder itself; default: a new one in runs/ (or BENCHWRIGHT_RUNS).",
)
unsafe_option = click.option("--unsafe", is_flag=True, help="Run without walls; attempts are marked as not comparable.")
registry_option = click.option(
    "--registry",
    "registry_path",
    type=FilePath(),
    help="Another registry.yaml than the one here or built in.",
)
params_option = click.option(
    "-P",
    "params",
    multiple=True,
    metavar="BENCHMARK.NAME=VALUE",
    help="A benchmark's parameter; see `bench list --params`.",
)


def folder_argument(name: str = "run") -> Callable[[Command], Command]:
    """A run: its id in the runs folder, or its path; none is the one that was begun or continued last."""
    return click.argument(name, required=False, metavar="[RUN]")


def _begun(run: Path) -> str:
    """When the last session of a run began, as digits; what its id says where it has no manifest that can be read."""
    import re

    import msgspec

    try:
        told = str(msgspec.json.decode((run / "manifest.json").read_bytes())["sessions"][-1]["started"])
    except (OSError, msgspec.MsgspecError, LookupError, TypeError):
        told = run.name
    return re.sub(r"\D", "", told)[:14]


def find_run(text: str | None) -> Path:
    """The run folder that a person means. Raises UserError where there is none."""
    from benchwright.errors import UserError
    from benchwright.journal import runs_folder
    from benchwright.names import RUN_ID, suggest

    runs = runs_folder()
    found = sorted(entry.name for entry in runs.iterdir() if RUN_ID.fullmatch(entry.name)) if runs.is_dir() else []
    if text is None:
        if not found:
            raise UserError(f"There is no run in {runs}; name a run folder, or begin one with `bench run`.")
        return runs / max(found, key=lambda name: (_begun(runs / name), name))
    for path in (runs / text, Path(text).expanduser()):
        if text and path.is_dir():
            return path
    places = f"Neither {runs / text} nor {text} is a folder." if runs / text != Path(text) else "It is no folder."
    raise UserError(f"No run `{text}`.{suggest(text, found)} {places}")
