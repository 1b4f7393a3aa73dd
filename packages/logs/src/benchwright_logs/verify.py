"""Derives a release again, offline, from its own files: hashes, completeness, audit, every figure, READMEs, secrets."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from benchwright import digests
from benchwright.errors import FileError, UserError

from benchwright_logs import release as releases
from benchwright_logs.archives import Refused
from benchwright_logs.audit import Audited, audit
from benchwright_logs.check import check
from benchwright_logs.figures import Row, differences, rows
from benchwright_logs.packed import unpack_release
from benchwright_logs.placeholders import KEYED, Placeholders
from benchwright_logs.redactor import RULES, Redactor
from benchwright_logs.release import AUDIT, FIGURES, README, RUNS, Release
from benchwright_logs.rules import RULE_VERSION
from benchwright_logs.tree import Tree


class Verified(msgspec.Struct, frozen=True):
    """What was derived again, and a sentence for each thing that differs."""

    runs: int
    attempts: int
    files: int
    numbers: int
    trusted: int
    withheld: int
    verdicts: dict[str, int]
    problems: tuple[str, ...]


def verify(path: Path) -> Verified:
    """Verifies a release: a folder, or a zip archive, which is unpacked beside nothing of yours and removed again.

    Raises FileError where there is no release.
    """
    if path.is_dir():
        return _Verify(path).whole()
    with tempfile.TemporaryDirectory(prefix="benchwright-release-") as folder:
        unpack_release(path, Path(folder))
        return _Verify(Path(folder)).whole()


class _Verify:
    def __init__(self, folder: Path) -> None:
        self._tree = Tree(folder)
        if releases.NAME not in self._tree.files:
            raise FileError(folder, f"is no release: it has no {releases.NAME}.")
        self._release: Release = releases.read_release(folder, self._tree.read(releases.NAME))
        self._problems = self._tree.problems
        self._counts = dict.fromkeys(("attempts", "numbers", "trusted", "withheld"), 0)
        self._verdicts: dict[str, int] = {}

    def whole(self) -> Verified:
        self._files()
        found = self._runs()
        self._documents(found)
        self._problems += self._secrets()
        return Verified(
            len(self._release.runs), self._counts["attempts"], len(self._release.files), self._counts["numbers"],
            self._counts["trusted"], self._counts["withheld"], dict(sorted(self._verdicts.items())), tuple(self._problems),
        )  # fmt: skip

    def _files(self) -> None:
        listed = self._release.files
        for name in sorted(self._tree.files - set(listed) - {releases.NAME}):
            self._problems.append(f"{name}: {releases.NAME} does not name this file")
        for name, digest in listed.items():
            try:
                content = self._tree.read(name)
            except FileError as error:
                self._told(error)
                continue
            if digests.sha256(content) != digest:
                self._problems.append(f"{name} has a different hash")

    def _told(self, error: UserError) -> None:
        self._problems.append(str(error).removeprefix(f"{self._tree.root}/"))

    def _runs(self) -> dict[str, list[Row]]:
        found: dict[str, list[Row]] = {}
        audits = self._record(AUDIT, dict[str, Audited])
        for described in self._release.runs:
            place = f"{RUNS}/{described.run}"
            folder = self._tree.root / place
            try:
                if not folder.is_dir() or "/" in described.run or described.run in (".", ".."):
                    raise FileError(folder, "is not there, and the release names the run")
                checked = check(folder)
                audited = audit(folder)
                found[described.run] = rows(folder)
            except UserError as error:
                self._told(error)
                continue
            self._problems += [f"{place}/{problem}" for problem in checked.problems]
            for count in self._counts:
                self._counts[count] += getattr(checked, count)
            for verdict, turns in audited.verdicts.items():
                self._verdicts[verdict] = self._verdicts.get(verdict, 0) + turns
            if self._release.rules.get("audit") == RULE_VERSION and (audits or {}).get(described.run) != audited:
                self._problems.append(f"{AUDIT}: the audit of {described.run} is another than the events give")
            if (described.verdicts, described.attempts) != (audited.verdicts, checked.attempts):
                self._problems.append(
                    f"{releases.NAME}: attempts or verdicts of {described.run} are others than the log's"
                )
        strange = {name.split("/")[1] for name in self._tree.files if name.startswith(f"{RUNS}/")} - {
            described.run for described in self._release.runs
        }
        self._problems += [f"{RUNS}/{name}: {releases.NAME} knows of no such run" for name in sorted(strange)]
        return found

    def _record(self, name: str, kind: Any) -> Any:
        try:
            return msgspec.json.decode(self._tree.read(name), type=kind)
        except FileError as error:
            self._told(error)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            self._problems.append(f"{name}: is damaged: {error}")
        return None

    def _documents(self, found: dict[str, list[Row]]) -> None:
        """Figures and READMEs, written again and compared."""
        derived = [row for run in self._release.runs for row in found.get(run.run, [])]
        said = self._record(FIGURES, list[Row])
        if said is not None:
            for run in self._release.runs:
                wanted = [row for row in said if row.run == run.run]
                self._problems += differences(wanted, found.get(run.run, []))
            self._counts["numbers"] += sum(len(row.figures) for row in derived)
        pages = {README: releases.readme(self._release, derived)}
        for run in self._release.runs:
            pages[f"{RUNS}/{run.run}/{README}"] = releases.run_readme(run, found.get(run.run, []))
        for name, content in pages.items():
            if name in self._tree.files and self._tree.read(name) != content:
                self._problems.append(f"{name}: is not what the records say")
            elif name not in self._tree.files:
                self._problems.append(f"{name} is not there")

    def _secrets(self) -> Iterator[str]:
        """Whatever looks like a path, a key, an address or an identifier, and placeholders that the table lacks.

        The value itself is not told: a report is passed on more easily than a release.
        """
        if self._release.rules.get("redaction") != RULES:
            return
        placeholders = Placeholders(b"whatever, for nothing made here is kept")
        redactor = Redactor(placeholders, (), self._release.placeholders)
        seen: dict[str, str] = {}
        for name in sorted(self._tree.files):
            try:
                content = self._tree.read(name)
                known = len(placeholders.table)
                redactor.begin()
                if redactor.data(content) != content:
                    kinds = sorted(set(list(placeholders.table.values())[known:])) or ["something secret"]
                    yield f"{name}: holds what looks like {', '.join(kinds)}"
            except FileError as error:
                yield str(error).removeprefix(f"{self._tree.root}/")
                continue
            except Refused as error:
                yield f"{name}: {error}"
                continue
            for found in set(KEYED.findall(content.decode("utf-8", "replace"))) - set(self._release.placeholders):
                seen.setdefault(found, name)
        for found, name in sorted(seen.items()):
            yield f"{name}: holds the placeholder {found}, which {releases.NAME} does not list"
