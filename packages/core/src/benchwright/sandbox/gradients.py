"""The worker's half of autograd across the wire: graphs stay here, gradients are asked for by number."""

from __future__ import annotations

import sys
from typing import Any

from benchwright.sandbox import wire


class Gradients:
    """Graphs of recorded calls: the tensors that went in and the tensors that came out."""

    def __init__(self, worker: Any) -> None:
        self.worker = worker
        self.graphs: dict[int, tuple[list[Any], list[Any]]] = {}
        self.next_graph = 1

    def record(self, buffers: list[bytearray], target: list[Any], payload: list[Any]) -> tuple[list[Any], list[Any]]:
        """A call as any other; the answer also has the graph's number and which tensors have a gradient."""
        torch = sys.modules["torch"]
        decoder = self.worker.decoder(buffers)
        arguments, named, state, _ = payload
        args, kwargs = decoder.value(arguments), decoder.value(named)
        before = self.worker.before(decoder, state)
        with torch.enable_grad():
            value = self.worker.resolve(target)(*args, **kwargs)
            collector = wire.Encoder(lambda _: [wire.ELLIPSIS])
            collector.tree(value)
        inputs = [t for t, n in decoder.arrays if n is not None and isinstance(t, torch.Tensor) and t.requires_grad]
        outputs = [t for t in collector.arrays if isinstance(t, torch.Tensor)]
        answer, out = self.worker.answer(value, decoder, before, state)
        return [*answer, self._keep(inputs, outputs), [bool(t.requires_grad) for t in outputs]], out

    def gradient(self, buffers: list[bytearray], graph: int, tree: Any, create: bool) -> tuple[list[Any], list[Any]]:
        """Gradients of a graph's inputs, given those of its outputs (None where there is none)."""
        torch = sys.modules["torch"]
        inputs, outputs = self.graphs[graph]
        given = self.worker.decoder(buffers).value(tree)
        pairs = [(o, g) for o, g in zip(outputs, given, strict=True) if g is not None and o.requires_grad]
        with torch.enable_grad():
            found = torch.autograd.grad(
                [o for o, _ in pairs],
                inputs,
                [g for _, g in pairs],
                create_graph=create,
                retain_graph=True,
                allow_unused=True,
            )
        encoder = self.worker.encoder()
        answer = encoder.tree(list(found))
        there = [t for t in found if t is not None]
        number = self._keep([*inputs, *[g for g in given if g is not None]], there) if create else 0
        return ["value", answer, [], None, number, [bool(t.requires_grad) for t in there]], encoder.buffers

    def forget(self, graphs: list[int]) -> None:
        """Lets go of graphs."""
        for graph in graphs:
            self.graphs.pop(graph, None)

    def _keep(self, inputs: list[Any], outputs: list[Any]) -> int:
        number = self.next_graph
        self.next_graph += 1
        self.graphs[number] = (inputs, outputs)
        return number
