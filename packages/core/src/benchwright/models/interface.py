"""What a model is to the engine."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

import msgspec

from benchwright.records import Message, Reply, Task, TaskSpec


class Ask(msgspec.Struct, frozen=True):
    """One question to a model: the conversation so far, the last message being the one to answer.

    `task` is for answerers on our side of the wall (`reference`, `starter`, a person's prompt); a
    provider sends `system` and `messages` and nothing else.
    """

    spec: TaskSpec
    task: Task
    system: str
    messages: tuple[Message, ...]
    draw: int
    turn: int
    folder: Path
    """The attempt's own folder in the run folder, for models that leave files."""


class Model(Protocol):
    """A model, made once a run by the factory that its provider registered."""

    identity: str
    """`provider/model[knob=value,…]`, see `benchwright.names`."""
    settings: Mapping[str, Any]
    """Every knob that is sent, the output cap included."""
    paid: bool
    """Whether a call can cost money; such a call is never made twice for one attempt."""

    # `fixed = True` (absent: False) says that the model gives the same submission whatever it is told; the `revise`
    # protocol then ends with its first round, and no development report is made or counted as seen.

    async def reply(self, ask: Ask) -> Reply:
        """One reply. Raises `benchwright.errors.ModelError` with the outcome where there is none."""

    async def close(self) -> None:
        """Gives back connections and processes."""


class Factory(Protocol):
    """What `register_models` registers: called with what follows the provider's name, and the knobs asked for."""

    def __call__(self, argument: str, knobs: Mapping[str, str], options: Mapping[str, Any]) -> Model: ...
