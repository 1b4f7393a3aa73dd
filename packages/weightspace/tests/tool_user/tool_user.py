"""A model without a language model: it solves weightspace-tools by running the programs beside this file.

Two passes. The first program lists what the network does on every input; the second, which finds that list in the
folder, works out the answer and prints it as JSON, which the model repeats as its reply.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from benchwright import Reply, hookimpl
from benchwright.models.interface import Ask

API = 1
PROGRAMS = Path(os.environ["TOOL_USER_PROGRAMS"])


def program(name: str) -> str:
    return f"Running {name}.\n\n```python\n{(PROGRAMS / name).read_text(encoding='utf-8')}```\n"


class ToolUser:
    """`tool-user`: reads and fixes; `tool-user/clumsy`: wastes its passes and never answers."""

    paid = False

    def __init__(self, argument: str) -> None:
        self.identity = f"tool-user/{argument}" if argument else "tool-user"
        self.settings: Mapping[str, Any] = {}
        self.clumsy = argument == "clumsy"

    async def reply(self, ask: Ask) -> Reply:
        if self.clumsy:
            return Reply("```python\nprint(open('network.json').read()[:20]); open('kept', 'a').write('x')\n```")
        if ask.turn == 1:
            return Reply(program("survey.py"))
        if ask.turn == 2:
            return Reply(program("read.py" if "Menu" in ask.messages[0].text else "fix.py"))
        answer = next(line for line in ask.messages[-1].text.splitlines() if line.startswith("{"))
        return Reply(f"```json\n{answer}\n```")

    async def close(self) -> None:
        pass


def factory(argument: str, knobs: Mapping[str, str], options: Mapping[str, Any]) -> ToolUser:
    return ToolUser(argument)


@hookimpl
def register_models(register: Callable[..., None]) -> None:
    register("tool-user", factory)
