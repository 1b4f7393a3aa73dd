"""What the keeper of commands runs: each order is a program, walled in and then exec'd."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Mapping
from typing import Any

from benchwright.sandbox import channel, exec_tiers, keeper, seccomp, walls


def main(orders: Mapping[str, Any], packages: Any) -> None:
    """Runs the keeper of commands; in a process that it exec'd, one command."""
    if "order" in orders:
        command(orders, orders["order"], orders["descriptors"])
    keeper.settle()
    if orders["tier"] in walls.FORKING and orders["tier"] != walls.UNSAFE:
        seccomp.program(processes=True, modes=True)  # what each forked command would have to put together again
    keeper.Keeper(orders, lambda order, descriptors: start(orders, order, descriptors)).run()
    sys.exit(0)


def start(orders: Mapping[str, Any], order: dict[str, Any], descriptors: list[int]) -> None:
    """In the child that the keeper forked."""
    if orders["tier"] in walls.FORKING:
        command(orders, order, descriptors)
    keeper.own_output(descriptors[2])
    os.dup2(descriptors[3], 2)
    paths = [*order["reading"], *orders["interpreter"]]
    exec_tiers.become(orders, order, descriptors, paths, "benchwright.sandbox.command_entry", processes=True)


def command(orders: Mapping[str, Any], order: Mapping[str, Any], descriptors: list[int]) -> None:
    """Walls this process in and becomes the command. What goes wrong before is told over the channel."""
    conversation = channel.Channel(socket.socket(fileno=descriptors[0]))
    output, errors, given = descriptors[2:5]
    keeper.own_output(output)
    os.dup2(errors, 2)
    os.dup2(given, 0)
    os.chdir(order["folder"])
    if orders["tier"] != walls.UNSAFE:
        keeper.die_first()
    try:
        walls.enter(
            orders["tier"],
            order["limits"],
            read=order["reading"],
            write=[order["folder"], *order["writing"], "/dev/null"],
            processes=True,
            network=order["network"],
            about_to_exec=True,
        )
        # Closed by the exec; nothing but the standard three reaches the program.
        for descriptor in descriptors:
            os.set_inheritable(descriptor, False)
        os.execve(order["argv"][0], order["argv"], order["env"])
    except OSError as error:
        conversation.send(["failed", f"{error.strerror or error}: {order['argv'][0]}"])
        os._exit(127)
