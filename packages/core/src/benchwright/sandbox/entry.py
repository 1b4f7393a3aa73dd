"""What a keeper runs after its first lines: imports what its workers share, walls itself in, and serves."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import Any

# All that a worker needs later has to be imported before the walls stand.
from benchwright.sandbox import channel, exec_tiers, gradients, keeper, walls, wire, worker

__all__ = ["channel", "gradients", "main", "wire"]


def main(orders: Mapping[str, Any], packages: Any) -> None:
    """Runs a keeper of workers until its owners are gone; in a process that a keeper exec'd, one worker."""
    if "order" in orders:
        preload(orders["preload"])
        worker.run(orders["order"], orders["descriptors"], orders, packages)
        # No exit handler of the submission's is run.
        os._exit(0)
    if orders["tier"] in walls.FORKING:
        preload(orders["preload"])
        if orders["tier"] != walls.UNSAFE:
            keeper.wall_in_keeper(orders)

    def child(order: dict[str, Any], descriptors: list[int]) -> None:
        if orders["tier"] in walls.FORKING:
            worker.run(order, descriptors, orders, packages)
        else:
            keeper.own_output(descriptors[2])
            exec_tiers.become(orders, order, descriptors, orders["reading"], "benchwright.sandbox.entry")

    keeper.settle()
    keeper.Keeper(orders, child).run()
    sys.exit(0)


def preload(names: list[str]) -> None:
    """Imports packages and has them do what they do lazily, such as looking at /proc/cpuinfo."""
    for name in names:
        module = __import__(name)
        if name == "numpy":
            module.ones((4, 4)) @ module.ones((4, 4))
            module.random.default_rng(0).random()
            __import__("numpy.testing")
        elif name == "torch":
            module.set_num_threads(1)
            module.softmax(module.ones(3, 3) @ module.ones(3, 3), -1)
            leaf = module.ones(2, requires_grad=True)
            (leaf * 2).sum().backward()
            # The first optimizer imports a second's worth of modules, some of them tried and not there.
            module.optim.SGD([leaf], lr=0.1).step()
