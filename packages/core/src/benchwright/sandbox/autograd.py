"""The grader's half of autograd across the wire.

A call with tensors that want gradients becomes a node of torch's graph here; its backward pass asks the
worker, where the submission's own graph is. That backward pass is a node again, so double backward and
`gradgradcheck` work to any order.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable
from typing import Any

from benchwright.sandbox import wire
from benchwright.sandbox.session import Session

Call = Callable[[], tuple[list[Any], int, list[bool]]]
"""Gives tensors, the number of the worker's graph, and which of the tensors have a gradient."""


class _Swapping(wire.Decoder):
    """Decodes as its parent does, but with given tensors in the places of those decoded."""

    def __init__(self, *arguments: Any, tensors: list[Any]) -> None:
        super().__init__(*arguments)
        self.given = iter(tensors)

    def _tensor(self, tree: list[Any], depth: int) -> Any:
        super()._tensor(tree, depth)
        return next(self.given)


def recorded_call(
    session: Session, target: list[Any], payload: list[Any], encoder: wire.Encoder, tensors: list[Any]
) -> Any:
    """`session.call` for arguments of which `tensors` want gradients."""
    torch = sys.modules["torch"]
    session.add_random_state(torch, payload, encoder)
    kept: dict[str, Any] = {}

    def call() -> tuple[list[Any], int, list[bool]]:
        answer, got = session.ask("record", [target, payload], encoder.buffers)
        try:
            graph, flags = answer[4], answer[5]
            decoder = wire.Decoder(got, session.take, encoder.arrays)
            session.returned(answer[:4], got, encoder.arrays, decoder)
            found = [t.detach() for t, n in decoder.arrays if n is not None and isinstance(t, torch.Tensor)]
            _check(found, graph, flags)
        except (IndexError, TypeError, ValueError) as error:
            raise session.broken(error) from None
        kept.update(tree=answer[1], got=got)
        return found, graph, flags

    outputs = _node(session, call, tensors)
    decoder = _Swapping(kept["got"], session.take, encoder.arrays, tensors=list(outputs))
    return decoder.value(kept["tree"])


def _check(tensors: list[Any], graph: Any, flags: Any) -> None:
    if type(graph) is not int or type(flags) is not list or len(flags) != len(tensors):
        raise ValueError("a graph")


def _gradient(session: Session, graph: int, given: list[Any], create: bool) -> tuple[list[Any], int, list[bool]]:
    torch = sys.modules["torch"]
    encoder = wire.Encoder(session.hand_over)
    tree = encoder.tree([g if g is None else g.detach().requires_grad_(create) for g in given])
    answer, got = session.ask("gradient", [graph, tree, create], encoder.buffers)
    try:
        found = session.returned(answer[:4], got, [])
        if type(found) is not list or not all(t is None or isinstance(t, torch.Tensor) for t in found):
            raise TypeError("gradients that are none")
        _check([t for t in found if t is not None], answer[4], answer[5])
    except (IndexError, TypeError, ValueError) as error:
        raise session.broken(error) from None
    return [t if t is None else t.detach() for t in found], answer[4], answer[5]


def _node(session: Session, call: Call, tensors: list[Any]) -> tuple[Any, ...]:
    """Runs `call` as a node of torch's graph between `tensors` and what it gives; None stays None."""
    torch = sys.modules["torch"]
    shape: dict[str, Any] = {}

    class Across(torch.autograd.Function):  # type: ignore[misc, name-defined]
        @staticmethod
        def forward(ctx: Any, *inputs: Any) -> Any:
            found, graph, flags = call()
            there = [t for t in found if t is not None]
            ctx.graph = graph
            ctx.save_for_backward(*inputs)
            without = [t for t, flag in zip(there, flags, strict=True) if not flag]
            if without:
                ctx.mark_non_differentiable(*without)
            shape["there"] = [t is not None for t in found]
            if graph:
                weakref.finalize(ctx, session.dropped_graphs.append, graph)
            return tuple(there)

        @staticmethod
        def backward(ctx: Any, *given: Any) -> Any:
            inputs = list(ctx.saved_tensors)
            create = torch.is_grad_enabled()
            if not create:
                return tuple(_fit(_gradient(session, ctx.graph, list(given), False)[0], inputs))
            real = [g for g in given if g is not None]
            places = [g is not None for g in given]

            def again() -> tuple[list[Any], int, list[bool]]:
                fresh = iter(real)
                return _gradient(session, ctx.graph, [next(fresh) if p else None for p in places], True)

            return tuple(_fit(_node(session, again, inputs + real), inputs))

    outputs = iter(Across.apply(*tensors))
    return tuple(next(outputs) if there else None for there in shape["there"])


def _fit(found: Any, inputs: list[Any]) -> list[Any]:
    """As many gradients as inputs; what is not told has none."""
    gradients = list(found)
    return gradients + [None] * (len(inputs) - len(gradients))
