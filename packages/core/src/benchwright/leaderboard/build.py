"""Builds the board from the registry and the admitted attempts alone: the same bytes on any machine."""

from __future__ import annotations

from pathlib import Path

import msgspec

from benchwright.leaderboard import markdown, page
from benchwright.leaderboard.everything import JSON, Everything, collect
from benchwright.registry import Registry


def render(everything: Everything) -> dict[str, bytes]:
    """The published files by name, from what the board says."""
    return {
        JSON: msgspec.json.format(msgspec.json.encode(everything, order="deterministic"), indent=1) + b"\n",
        "LEADERBOARD.md": markdown.leaderboard(everything).encode(),
        "CALIBRATION.md": markdown.calibration(everything).encode(),
        "index.html": page.render(everything).encode(),
    }


def build(root: Path, registry: Registry) -> Everything:
    """Writes the published files into `root` and gives what they say."""
    everything = collect(root, registry)
    for name, content in render(everything).items():
        path = root / name
        if not path.is_file() or path.read_bytes() != content:
            path.write_bytes(content)
    return everything
