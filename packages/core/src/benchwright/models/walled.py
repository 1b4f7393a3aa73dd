"""`python -I -m benchwright.models.walled ORDERS PROGRAM…`: walls this process in, then becomes the program.

ORDERS is JSON: `tier`, `limits`, `read`, `write`, `network`. Ends with status 125 and one line on
standard error where a wall does not hold.
"""

from __future__ import annotations

import json
import os
import sys

NO_WALL = 125


def main() -> None:
    """Enters the walls and executes the program; does not return."""
    from benchwright.sandbox import walls

    orders, command = json.loads(sys.argv[1]), sys.argv[2:]
    try:
        walls.enter(
            orders["tier"],
            orders["limits"],
            read=orders["read"],
            write=orders["write"],
            processes=True,
            network=orders["network"],
            about_to_exec=True,
        )
    except OSError as error:
        sys.stderr.write(f"the walls do not hold: {error}\n")
        raise SystemExit(NO_WALL) from None
    try:
        os.execv(command[0], command)
    except OSError as error:
        sys.stderr.write(f"{command[0]} cannot be run inside the walls: {error.strerror}\n")
        raise SystemExit(NO_WALL) from None


if __name__ == "__main__":
    main()
