"""The trusted process that runs hidden tests: forked for one grading from a keeper that has pytest loaded.

It holds the tests and every expected value, and so does nothing but this grading. The submission is in
a worker of another keeper, whose orders this process may give.
"""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from benchwright.sandbox import borrowed, channel, keeper, limits
from benchwright.sandbox.box import Box
from benchwright.sandbox.grading import Grading
from benchwright.sandbox.launcher import KeeperGone
from benchwright.sandbox.verdict import Seen

_OFF = (
    "cacheprovider",
    "capture",
    "debugging",
    "doctest",
    "faulthandler",
    "junitxml",
    "legacypath",
    "logging",
    "pastebin",
    "setuponly",
    "setupplan",
    "stepwise",
    "terminal",
    "threadexception",
    "unraisableexception",
)
"""Parts of pytest that a grading has no use for, and that cost time or write files."""

_OPTIONS = [
    "--import-mode=importlib",
    "--assert=plain",
    "-c",
    os.devnull,
    *[word for name in _OFF for word in ("-p", f"no:{name}")],
]


MEMORY = 4 << 30
"""Bytes that a grader may map beside twice what the submission may: what it was given may unfold to any size."""


def run_grading(grading: Grading, control: socket.socket) -> Seen:
    """Runs the hidden tests against the submission."""
    import pytest

    from benchwright.sandbox.plugin import Plugin

    folder = Path(grading.folder)
    tests = folder / "hidden_tests"
    sys.dont_write_bytecode = False
    sys.pycache_prefix = grading.cache
    sys.path.insert(0, str(tests))
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    with Box(lambda: control, grading.place, grading.files, grading.limits) as box:
        plugin = Plugin(box, folder)
        try:
            plugin.offer()
            options = [
                *_OPTIONS,
                f"--rootdir={tests}",
                f"--confcutdir={tests}",
                str(tests),
            ]
            code = pytest.main(options, plugins=[plugin])
            if code == pytest.ExitCode.INTERNAL_ERROR and plugin.seen.touched:
                # The tests are whole with a reference solution, so it is this one that broke them.
                plugin.seen.ended.append(["submission_error", "the hidden tests broke down in the middle of it"])
            elif code in (pytest.ExitCode.USAGE_ERROR, pytest.ExitCode.INTERNAL_ERROR):
                raise RuntimeError(f"pytest could not run the hidden tests of {folder.name}: {code!r}")
        except KeeperGone:
            plugin.seen.keeper_gone = True
        box.finish()
        seen = plugin.seen
        seen.keeper_gone = seen.keeper_gone or box.keeper_gone
        seen.broken = box.broken
        seen.ended += [[error.outcome, str(error)] for error in box.ended]
        seen.limits_met = sorted(box.limits_met)
        seen.calls = box.calls
        seen.printed = box.printed()
    return seen


def run(order: Mapping[str, Any], descriptors: list[int]) -> None:
    """The child of the keeper: reads the grading, answers with what was seen."""
    keeper.own_output(descriptors[2])
    os.close(descriptors[1])
    conversation = channel.Channel(socket.socket(fileno=descriptors[0]))
    control, commands = (socket.socket(fileno=d) for d in descriptors[3:5])
    _, buffers = conversation.receive()
    grading = msgspec.msgpack.decode(buffers[0], type=Grading)
    limits.bound_memory(MEMORY + (2 * grading.limits.memory_mb << 20))
    borrowed.lend(grading.place.tier, commands)
    seen = run_grading(grading, control)
    conversation.send(["seen"], [msgspec.msgpack.encode(seen)])


def main(orders: Mapping[str, Any]) -> None:
    """Runs the keeper of graders until `bench` is gone."""
    import _pytest.config
    import pytest

    for name in _pytest.config.default_plugins:
        __import__(f"_pytest.{name}")
    from benchwright.sandbox import plugin

    del pytest, plugin
    for name in orders["preload"]:
        __import__(name)
        if name == "torch":
            sys.modules["torch"].set_num_threads(1)
        if name == "numpy":
            __import__("numpy.testing")
    keeper.settle()
    keeper.Keeper(orders, run).run()
