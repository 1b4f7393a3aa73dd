"""What is known to be secret: places and names of this machine, keys in its environment, what the publisher names."""

from __future__ import annotations

import getpass
import os
import re
import socket
import sys
from collections.abc import Iterable
from pathlib import Path

import msgspec
from benchwright import folders
from benchwright.errors import FileError, UserError
from benchwright.journal import runs_folder

from benchwright_logs.placeholders import NAMED

PLACES = {
    "data": "our data folder",
    "runs": "our folder of runs",
    "venv": "a Python environment",
    "python": "a Python installation",
    "cache": "our cache folder",
    "here": "the folder that the command was given in",
    "home": "home directory",
    "user": "a user's name",
    "host": "the name of a machine",
}
_ANYBODY = frozenset(
    {"root", "user", "users", "admin", "ubuntu", "runner", "build", "nobody", "home", "test", "localhost"}
)
_SECRET_VARIABLE = re.compile(r"(?:^|_)(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)(?:$|_)")
_LEAST_SECRET = 8


class Literal(msgspec.Struct, frozen=True):
    """A text that must not be shown; it becomes `<name>`."""

    name: str
    value: str
    what: str
    whole: bool = True
    """Only where it is no part of a longer word; a key is secret inside of one as well."""


def of_this_machine() -> list[Literal]:
    """Places, user, host name, and the values of variables in the environment that are named like secrets."""
    found = [
        ("venv", sys.prefix if sys.prefix != sys.base_prefix else ""),
        ("python", sys.base_prefix),
        ("data", str(folders.data())),
        ("cache", str(folders.cache())),
        ("runs", str(runs_folder().absolute())),
        ("here", os.getcwd()),
        ("home", str(Path.home())),
    ]
    literals = []
    for name, value in found:
        # Places that every machine has say nothing of this one, and `/` would be everywhere.
        if value.count("/") >= 1 and len(value) > 4 and not value.startswith(("/usr", "/bin", "/opt/python")):
            literals.append(Literal(name, value, PLACES[name]))
            real = os.path.realpath(value)
            if real != value:
                literals.append(Literal(name, real, PLACES[name]))
    for name, value in (("user", _user()), ("host", socket.gethostname())):
        if len(value) > 2 and value.lower() not in _ANYBODY:
            literals.append(Literal(name, value, PLACES[name]))
    for variable, value in sorted(os.environ.items()):
        if _SECRET_VARIABLE.search(variable.upper()) and len(value) >= _LEAST_SECRET and not os.path.isabs(value):
            literals.append(Literal("secret", value, "a key of the publisher's environment", whole=False))
    return literals


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return ""


def named(pairs: Iterable[str], path: Path | None = None) -> list[Literal]:
    """Literals from `name=VALUE` texts and from a file of such lines. Raises UserError; no message shows a value."""
    given = [(f"--secret number {number}", pair) for number, pair in enumerate(pairs, 1)]
    if path is not None:
        try:
            text = path.read_text()
        except (OSError, UnicodeDecodeError):
            raise FileError(path, "cannot be read as text.") from None
        given += [
            (f"{path}:{number}", line.strip())
            for number, line in enumerate(text.splitlines(), 1)
            if line.strip() and not line.lstrip().startswith("#")
        ]
    found = []
    for place, pair in given:
        name, equals, value = pair.partition("=")
        if not equals or not NAMED.fullmatch(name.strip()) or len(value.strip()) < 3:
            raise UserError(
                f"{place}: expected name=VALUE, the name in lower-case letters, digits and underscores, "
                "the value of three characters or more."
            )
        found.append(
            Literal(
                name.strip(), value.strip(), PLACES.get(name.strip(), "something that the publisher named"), whole=False
            )
        )
    return found
