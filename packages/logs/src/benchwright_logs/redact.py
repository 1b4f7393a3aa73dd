"""A redacted copy of a run folder: words replaced, hashes mended, scored bytes as they were or not there at all."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
from benchwright import digests
from benchwright.errors import FileError, UserError
from benchwright.journal import attempts as lines_of_attempts
from benchwright.journal import manifest as manifests
from benchwright.journal import read_attempts, read_manifest, turns
from benchwright.journal.turns import safe_name
from benchwright.records import Attempt

from benchwright_logs.archives import Refused
from benchwright_logs.audit import attempt_place
from benchwright_logs.check import REPORT
from benchwright_logs.ledger import NAME, STUB, Redaction, Withheld, scored
from benchwright_logs.placeholders import Placeholders
from benchwright_logs.redactor import Redactor
from benchwright_logs.streams import redact_events
from benchwright_logs.tree import LARGEST_FILE, Tree, new_folder, write

_REDONE = (".lock", REPORT)
_LAST = (turns.RECORD, turns.STATE)
"""Records that hold hashes of the files beside them, in the order in which they are mended."""


class Rule(msgspec.Struct, frozen=True):
    """Files to withhold whatever they hold: a glob over names in the run folder, and why."""

    glob: str
    reason: str


def withholding(texts: tuple[str, ...]) -> tuple[Rule, ...]:
    """Rules from `GLOB=REASON` texts. Raises UserError."""
    rules = []
    for text in texts:
        glob, equals, reason = text.partition("=")
        if not equals or not glob.strip() or not reason.strip():
            raise UserError(f"--withhold {text}: expected GLOB=REASON, for example 'kernels/*/eval/*=licensed text'.")
        rules.append(Rule(glob.strip(), reason.strip()))
    return tuple(rules)


def redact(
    run: Path, out: Path, redactor: Redactor, placeholders: Placeholders, rules: tuple[Rule, ...] = ()
) -> Redaction:
    """Writes a redacted copy of `run` to `out`. Raises UserError or FileError where something cannot be published at all."""
    return _Copy(run, out, redactor, placeholders, rules).whole()


class _Copy:
    def __init__(
        self, run: Path, out: Path, redactor: Redactor, placeholders: Placeholders, rules: tuple[Rule, ...]
    ) -> None:
        read_manifest(run)
        self._tree = Tree(run)
        if self._tree.problems:
            raise FileError(run, self._tree.problems[0])
        new_folder(out, run)
        self._out = out
        self._redactor = redactor
        self._placeholders = placeholders
        self._rules = rules
        self._changed: list[str] = []
        self._withheld: list[str] = []
        self._scored: dict[str, str] = {}
        self._left_out: list[str] = []
        self._events: Counter[str] = Counter()

    def whole(self) -> Redaction:
        attempts = read_attempts(self._tree.root)
        places = {attempt_place(attempt): self._new_place(attempt) for attempt in attempts}
        if len(set(places.values())) < len(places):
            raise UserError(
                f"{self._tree.root}: two models would have one name after redaction; name their difference."
            )
        within: dict[str, list[str]] = {place: [] for place in places}
        top: list[str] = []
        for name in sorted(self._tree.files):
            place = "/".join(name.split("/")[:4])
            within.get(place, top).append(name)
        hashes: dict[str, str] = {}
        for place, listed in within.items():
            hashes |= self._attempt(place, places[place], [name.removeprefix(place + "/") for name in listed])
        for name in top:
            if name in (lines_of_attempts.NAME, manifests.NAME):
                continue
            if (
                name in _REDONE
                or name.startswith(("attempts.torn-", "attempts.retried-", "regraded-"))
                or name.endswith("/" + turns.CALLING)
            ):
                self._left_out.append(name)
                continue
            self._put(name, self._tree.read(name))
        self._records(hashes)
        done = Redaction(
            dict(sorted(self._placeholders.table.items())), sorted(self._changed), sorted(self._withheld),
            dict(sorted(self._scored.items())), sorted(self._left_out),
        )  # fmt: skip
        write(self._out, NAME, msgspec.json.format(msgspec.json.encode(done), indent=1) + b"\n")
        return done

    def _new_place(self, attempt: Attempt) -> str:
        renamed = self._redactor.text(attempt.model.name)
        return attempt_place(
            attempt
            if renamed == attempt.model.name
            else msgspec.structs.replace(attempt, model=msgspec.structs.replace(attempt.model, name=renamed))
        )

    # The run's own records.

    def _records(self, hashes: dict[str, str]) -> None:
        raw = self._tree.read(lines_of_attempts.NAME)
        lines = self._mended(self._redacted(lines_of_attempts.NAME, raw), hashes)
        self._put_as_is(lines_of_attempts.NAME, raw, lines)
        raw = self._tree.read(manifests.NAME)
        content = self._mended(self._redacted(manifests.NAME, raw), {digests.sha256(self._tree.read(lines_of_attempts.NAME)): digests.sha256(lines)})  # fmt: skip
        manifest = msgspec.json.decode(content)
        manifest["files"] = {name: digest for name, digest in manifest["files"].items() if name not in self._left_out}
        for name in manifest["files"]:
            if name != lines_of_attempts.NAME and (self._out / name).exists():
                manifest["files"][name] = digests.sha256((self._out / name).read_bytes())
        content = msgspec.json.format(msgspec.json.encode(manifest), indent=1) + b"\n"
        self._put_as_is(manifests.NAME, raw, content)

    def _put_as_is(self, name: str, raw: bytes, content: bytes) -> None:
        if self._redactor.data(raw) != raw:
            self._changed.append(name)
        write(self._out, name, content)

    # Files.

    def _attempt(self, place: str, target: str, listed: list[str]) -> dict[str, str]:
        """Copies an attempt's folder; gives the hashes that are others now, old to new."""
        hashes: dict[str, str] = {}
        own: dict[str, str] = {}
        for name in sorted(listed, key=lambda name: (_rank(name), name)):
            if name.rpartition("/")[2] == turns.CALLING:
                self._left_out.append(f"{place}/{name}")
                continue
            old = self._tree.read(f"{place}/{name}")
            new = self._put(f"{target}/{name}", old, f"{place}/{name}", own, is_scored=scored(name))
            if new is not None and new != old:
                own[digests.sha256(old)] = digests.sha256(new)
                if name == turns.STATE:
                    hashes[digests.sha256(old)] = digests.sha256(new)
        return hashes

    def _put(
        self, name: str, old: bytes, was: str = "", hashes: dict[str, str] | None = None, *, is_scored: bool = False
    ) -> bytes | None:
        """Writes a file with placeholders, or its stub; gives what was written, None for a stub."""
        was = was or name
        last = name.rpartition("/")[2]
        if self._redactor.text(last) != last or not safe_name(last):
            raise FileError(
                self._tree.root / was, "the name of the file is secret or unsafe; rename or remove it first."
            )
        if is_scored:
            self._scored[name] = digests.sha256(old)
        rule = next((rule for rule in self._rules if _fits(rule.glob, was)), None)
        if rule is not None:
            self._withhold(name, old, rule.reason)
            return None
        try:
            words = self._redacted(was, old)
        except Refused as error:
            self._withhold(name, old, f"it {error}")
            return None
        if is_scored and words != old:
            self._withhold(name, old, "it holds something secret, and scored bytes are never changed")
            return None
        if words != old:
            self._changed.append(name)
        new = words if is_scored else self._mended(words, hashes or {})
        write(self._out, name, new)
        return new

    def _redacted(self, name: str, content: bytes) -> bytes:
        if len(content) > LARGEST_FILE // 4 and not name.endswith((".npz", ".npy")):
            raise Refused(f"is larger than the {LARGEST_FILE // 2**22} MiB that are looked through")
        self._redactor.begin()
        if name.endswith("/" + turns.EVENTS):
            try:
                return redact_events(content, self._redactor)
            except UnicodeDecodeError:
                pass  # no text, so no stream either: looked through as any other file
        return self._redactor.data(content)

    def _withhold(self, name: str, old: bytes, reason: str) -> None:
        stub = Withheld(name.rpartition("/")[2], digests.sha256(old), len(old), reason)
        write(self._out, name + STUB, msgspec.json.encode(stub) + b"\n")
        self._withheld.append(name)

    def _mended(self, content: bytes, hashes: dict[str, str]) -> bytes:
        for old, new in hashes.items():
            content = content.replace(old.encode(), new.encode())
        return content


def _rank(name: str) -> int:
    last = name.rpartition("/")[2]
    return _LAST.index(last) + 1 if last in _LAST else 0


def _fits(glob: str, name: str) -> bool:
    """Whether a name fits a glob in which `*` crosses folders."""
    pieces = re.split(r"(\*+|\?)", glob)
    form = "".join({"?": "."}.get(piece, ".*" if piece.startswith("*") else re.escape(piece)) for piece in pieces)
    return re.fullmatch(form, name) is not None


def table(redaction: Redaction) -> list[tuple[Any, ...]]:
    """The placeholders of a redaction, for a person."""
    return [(placeholder, what) for placeholder, what in redaction.placeholders.items()]
