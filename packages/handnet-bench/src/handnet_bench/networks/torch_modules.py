"""The networks as `torch.nn.Module`: the same WEIGHTS as parameters, the same arithmetic, logits out.

`load("addition")` and its like give a module whose `forward` takes what the network's `predict` takes. Needs
torch, which this package does not depend on.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

NAMES = ("addition", "dyck1", "induction", "mnist", "sentiment")


class HandWritten(nn.Module):
    """A network with the WEIGHTS of `handnet_bench.networks.<name>`: fractions as parameters, whole numbers as buffers."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.network = importlib.import_module(f"handnet_bench.networks.{name}")
        self._compute = _FORWARD[name]
        for key, value in self.network.WEIGHTS.items():
            array = np.asarray(value)
            if array.dtype.kind == "f":
                self.register_parameter(key, nn.Parameter(torch.tensor(array, dtype=torch.float64)))
            else:
                self.register_buffer(key, torch.tensor(array))

    def forward(self, inputs: Any) -> Tensor:
        """Logits: (N, columns, 10) for addition, (N, classes) for the others, (N,) for the two yes-or-no networks."""
        return self._compute(self, self.network, inputs)


def load(name: str) -> HandWritten:
    """The module of a network. Raises KeyError for an unknown name."""
    return HandWritten(name)


def _addition(w: Any, network: Any, pairs: Any) -> Tensor:
    digits = torch.tensor(network.columns([(int(a), int(b)) for a, b in pairs]))
    length = digits.shape[1]
    x = w.digit[digits].sum(dim=2) + w.place[:length]
    hidden = torch.relu(x @ w.mlp1_in + w.mlp1_bias)
    hidden = torch.relu(hidden @ w.mlp1_mid + w.mlp1_mid_bias)
    x = x + hidden @ w.mlp1_out + w.mlp1_out_bias
    below = torch.ones(length, length, dtype=torch.bool).tril(-1)
    below[0, 0] = True
    scores = (w.query * (x @ w.key).squeeze(-1)[:, None, :]).expand(-1, length, -1)
    x = x + torch.softmax(scores.masked_fill(~below, -torch.inf), dim=-1) @ (x @ w.value)
    hidden = torch.relu(x @ w.mlp2_in + w.mlp2_bias)
    hidden = torch.relu(hidden @ w.mlp2_mid + w.mlp2_mid_bias)
    total = x[..., network.SUM] + x[..., network.CARRY] + hidden @ w.mlp2_out + w.mlp2_out_bias
    return total[..., None] * w.unembed_slope + w.unembed_bias


def _dyck1(w: Any, network: Any, strings: Any) -> Tensor:
    ids, lengths = (torch.tensor(part) for part in network.tokens(strings))
    last = (torch.arange(len(ids)), lengths - 1)

    def attend(x: Tensor) -> Tensor:
        ones = torch.stack([x, torch.ones_like(x)], dim=-1)
        scores = ones @ w.score @ ones.transpose(1, 2)
        causal = torch.ones(scores.shape[-2:], dtype=torch.bool).tril()
        return (torch.softmax(scores.masked_fill(~causal, -torch.inf), dim=-1) @ x[..., None]).squeeze(-1)

    mean = attend(w.embed[ids]) * w.value1
    flags = torch.relu(mean[..., None] * w.below_in + w.below_bias) @ w.below_out
    below = attend(flags) * w.value2
    end = torch.relu(mean[last][:, None] * w.end_in + w.end_bias)
    return torch.cat([end, below[last][:, None]], dim=1) @ w.out + w.bias


def _induction(w: Any, network: Any, sequences: Any) -> Tensor:
    lengths = torch.tensor([len(row) for row in sequences])
    longest = int(lengths.max())
    ids = torch.tensor([list(row) + [0] * (longest - len(row)) for row in sequences])
    x = w.embed[ids] + w.place[:longest]
    here, tokens = x[..., network.where], x[..., network.token]
    causal = torch.ones(longest, longest, dtype=torch.bool).tril()
    look = torch.softmax((here @ w.qk1 @ here.transpose(1, 2)).masked_fill(~causal, -torch.inf), dim=-1)
    previous = x[..., network.before] + look @ tokens @ w.ov1
    key = torch.arange(longest)
    allowed = (key[None] > 0) & (key[None] < lengths[:, None])
    last = tokens[torch.arange(len(ids)), lengths - 1]
    scores = torch.einsum("nq,nkq->nk", last @ w.qk2, previous)
    pick = torch.softmax(scores.masked_fill(~allowed, -torch.inf), dim=-1)
    return torch.einsum("nk,nkt->nt", pick, tokens) @ w.ov2


def _mnist(w: Any, network: Any, images: Any) -> Tensor:
    images = torch.as_tensor(np.asarray(images), dtype=torch.float64)
    pictures, digits = _draw(w)
    same = _features(w, _upright(w, images)) @ _features(w, _upright(w, pictures)).T
    near = torch.exp(w.sharpness * (same - 1))
    return torch.log(near @ nn.functional.one_hot(digits, 10).double() + 1e-30)


def _draw(w: Any) -> tuple[Tensor, Tensor]:
    powers = torch.stack([w.steps**k for k in range(4)], dim=1)
    dabs = torch.einsum("tk,ki,sic->stc", powers, w.spline, w.curve) - w.centre
    ends = w.curve[:, 2] - w.curve[:, 1]
    grid = torch.arange(28) - w.middle
    pictures, digits = [], []
    for drawing, digit in enumerate(w.digit_of):
        mine = w.drawing_of == drawing
        for box, pen in zip(w.box, w.pen, strict=True):
            scale = torch.stack([w.breadth, torch.ones_like(w.breadth)], dim=1)[:, None, :]
            at = dabs[mine].reshape(1, -1, 2) * scale
            step = ends[mine].repeat_interleave(len(w.steps), dim=0)[None] * scale / len(w.steps)
            span = (at.amax(dim=1) - at.amin(dim=1)).amax(dim=1)[:, None, None]
            size = box / (span + 1e-6)
            at, length = at * size, ((step * size) ** 2).sum(dim=-1).sqrt()
            at = at - (at * length[..., None]).sum(dim=1, keepdim=True) / (length.sum(dim=1)[:, None, None] + 1e-6)
            bell = torch.exp(-(((grid - at[..., None]) / pen) ** 2) / 2) / pen.sqrt()
            amount = torch.einsum("bp,bpx,bpy->byx", length, bell[:, :, 0], bell[:, :, 1]) / (2 * torch.pi) ** 0.5
            pictures.append(1 - torch.exp(-w.ink * amount))
            digits.append(digit.expand(len(w.breadth)))
    return torch.cat(pictures), torch.cat(digits)


def _upright(w: Any, x: Tensor) -> Tensor:
    grid = torch.arange(28, dtype=x.dtype)
    mass = x.sum(dim=(1, 2)) + 1e-6
    cx, cy = x.sum(dim=1) @ grid / mass, x.sum(dim=2) @ grid / mass
    dx, dy = grid - cx[:, None], grid - cy[:, None]
    lean = torch.einsum("nyx,ny,nx->n", x, dy, dx) / (torch.einsum("nyx,ny->n", x, dy**2) + 1e-6)
    source = grid + lean[:, None, None] * dy[:, :, None] + (cx - w.middle)[:, None, None]
    left = source.floor()
    part = source - left
    padded = nn.functional.pad(x, (28, 28))
    index = (left.long() + 28).clamp(0, padded.shape[2] - 2)
    return padded.gather(2, index) * (1 - part) + padded.gather(2, index + 1) * part


def _features(w: Any, x: Tensor) -> Tensor:
    def slide(x: Tensor, kernel: Tensor, axis: int) -> Tensor:
        shape = (1, 1, 3, 1) if axis == 1 else (1, 1, 1, 3)
        padding = (1, 0) if axis == 1 else (0, 1)
        return nn.functional.conv2d(x[:, None], kernel.reshape(shape), padding=padding)[:, 0]

    x = slide(slide(x, w.blur, 1), w.blur, 2)
    gx, gy = slide(x, w.edge, 2), slide(x, w.edge, 1)
    size = (gx * gx + gy * gy).sqrt() + 1e-6
    double = torch.stack([(gx * gx - gy * gy) / size, 2 * gx * gy / size], dim=-1)
    pool = torch.relu(1 - (torch.arange(28) - w.cells[:, None]).abs() / w.reach)
    maps = [pool @ torch.relu(double @ pair - size * w.tuning) @ pool.T for pair in w.direction.T]
    f = torch.stack(maps, dim=1).reshape(len(x), -1) ** w.contrast
    return f / ((f * f).sum(dim=1, keepdim=True).sqrt() + 1e-6)


def _sentiment(w: Any, network: Any, sentences: Any) -> Tensor:
    longest = max(map(len, sentences)) + 2
    ids = torch.tensor([[network.number(word) for word in words] + [0] * (longest - len(words)) for words in sentences])
    x = w.embed[ids]
    negated, conceding = torch.zeros(len(ids), dtype=x.dtype), torch.zeros(len(ids), dtype=x.dtype)
    scope, inside = [], []
    for t in range(longest):
        scope.append(negated)
        going = 1 - x[:, t, network.END]
        negated = (negated * w.fade * going + x[:, t, network.NEGATES]).clamp(max=1)
        conceding = (conceding * going + x[:, t, network.CONCEDES]).clamp(max=1)
        inside.append(conceding)
    before = nn.functional.pad(x[:, :-1, network.BOOSTS], (1, 0))
    turn = x[:, :, network.TURN]
    later = turn.flip(1).cumsum(dim=1).flip(1) - turn
    keep = 1 - (1 - w.conceded) * (later + torch.stack(inside, dim=1)).clamp(max=1)
    words = x[:, :, network.WORTH] * (1 + before) * (1 - w.flip * torch.stack(scope, dim=1)) * keep
    first, second, third = w.idiom.T
    found = (ids[:, :-2, None] == first) & (ids[:, 1:-1, None] == second)
    found &= (ids[:, 2:, None] == third) | (third == 0)
    idioms = nn.functional.pad(found.double() @ w.idiom_worth, (0, 2)) * keep
    return (words + idioms).sum(dim=1) + w.bias


_FORWARD: dict[str, Callable[[Any, Any, Any], Tensor]] = {
    "addition": _addition,
    "dyck1": _dyck1,
    "induction": _induction,
    "mnist": _mnist,
    "sentiment": _sentiment,
}
