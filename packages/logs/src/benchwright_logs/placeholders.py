"""Placeholders: what stands where something secret stood. One thing has one placeholder in every file of a release."""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import secrets
from pathlib import Path

from benchwright import folders
from benchwright.errors import FileError, UserError

KINDS = {
    "path": "a path",
    "key": "a key, token or password",
    "email": "an e-mail address",
    "host": "the name of a machine",
    "ip": "a network address",
    "id": "an identifier (UUID)",
    "withheld": "content that cannot be shown in part",
}
"""Kind -> what a placeholder of it stands for."""

KEYED = re.compile(r"<(?:path|key|email|host|ip|withheld)-[0-9a-f]{8}>|(?<![A-Za-z0-9-])id-[0-9a-f]{8}(?![A-Za-z0-9-])")
NAMED = re.compile(r"[a-z][a-z0-9_]{0,30}")
_LEAST = 16


def default_key() -> Path:
    """Where the key lies if no other is named: with this user's data, never in a release."""
    return folders.data() / "redaction.key"


def read_key(path: Path, *outside: Path) -> bytes:
    """The key in `path`, made there where it is absent. Raises UserError where it lies in one of the folders `outside`.

    With the key, anybody can test what a placeholder stands for; whoever publishes twice with one key gives
    one thing the same placeholder in both releases.
    """
    place = Path(os.path.realpath(path))
    for folder in outside:
        if Path(os.path.realpath(folder)) in (place, *place.parents):
            raise UserError(f"The key {path} lies in {folder}; keep it outside of what is read or published.")
    try:
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            with os.fdopen(handle, "wb") as file:
                file.write(secrets.token_hex(32).encode() + b"\n")
        key = path.read_bytes().strip()
    except OSError as error:
        raise FileError(path, f"cannot be read: {error.strerror or error}") from None
    if len(key) < _LEAST:
        raise FileError(path, f"is no key: at least {_LEAST} bytes are needed.")
    return key


class Placeholders:
    """Hands out placeholders and remembers which were handed out."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._made: dict[str, tuple[str, bytes]] = {}
        self.table: dict[str, str] = {}
        """Placeholder -> what it stands for, in words."""

    def keyed(self, kind: str, thing: str) -> str:
        """The placeholder of `thing`: HMAC-SHA256 over kind and thing, its first 8 hex digits.

        Raises UserError where two things would get one placeholder, which 32 bits let happen once in a while.
        """
        full = hmac.new(self._key, f"{kind}\0{thing}".encode("utf-8", "surrogatepass"), hashlib.sha256)
        short = full.hexdigest()[:8]
        made = f"id-{short}" if kind == "id" else f"<{kind}-{short}>"
        known = self._made.setdefault(made, (kind, full.digest()))
        if known[1] != full.digest():
            raise UserError(f"Two things would be {made} under this key; name another with --key.")
        self.table[made] = KINDS[kind]
        return made

    def named(self, name: str, what: str) -> str:
        """The placeholder `<name>` of a thing that has a name of its own."""
        made = f"<{name}>"
        self.table[made] = what
        return made
