"""What a keeper runs after its first lines: imports what its workers share, walls itself in, and serves."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

# All that a worker needs later has to be imported before the walls stand.
from benchwright.sandbox import channel, gradients, keeper, walls, wire, worker

__all__ = ["channel", "gradients", "main", "wire"]


def main(orders: Mapping[str, Any], packages: Any) -> None:
    """Runs a keeper of workers until its owners are gone."""
    for name in orders["preload"]:
        _warm(name)
    if orders["tier"] in (walls.NAMESPACES, walls.LANDLOCK):
        keeper.wall_in_keeper(orders)
    keeper.settle()
    keeper.Keeper(orders, lambda order, descriptors: worker.run(order, descriptors, orders, packages)).run()
    sys.exit(0)


def _warm(name: str) -> None:
    """Imports a package and has it do what it does lazily, such as looking at /proc/cpuinfo."""
    module = __import__(name)
    if name == "numpy":
        module.ones((4, 4)) @ module.ones((4, 4))
        module.random.default_rng(0).random()
        __import__("numpy.testing")
    elif name == "torch":
        module.set_num_threads(1)
        module.softmax(module.ones(3, 3) @ module.ones(3, 3), -1)
        (module.ones(2, requires_grad=True) * 2).sum().backward()
