# Benchwright benchmark data, not for training corpora. canary 095d276d-6d74-432c-a3c6-5d97275a7d0e
"""Looks, in the worker, at what does not cross: the graph, the tensors kept in it, and what backward returns."""

import torch
from torch.autograd import forward_ad

_grad, _backward = torch.autograd.grad, torch.autograd.backward
_asked = []


def _counted(function):
    def call(*arguments, **named):
        _asked.append(function.__name__)
        return function(*arguments, **named)

    return call


# Before the submission is imported, so that it finds these under whatever name it imports them by.
torch.autograd.grad, torch.autograd.backward = _counted(_grad), _counted(_backward)
# What every derivative in forward mode begins with, torch.func.jvp included.
forward_ad.make_dual = _counted(forward_ad.make_dual)

import scaled_swish  # noqa: E402


def _leaves(x, w, wants):
    x, w = torch.from_numpy(x), torch.from_numpy(w)
    return x.requires_grad_("x" in wants), w.requires_grad_("w" in wants)


def _tensors(value):
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, dict | list | tuple):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _tensors(inner)


def graph(x, w, alpha, wants):
    """The name of the result's node, the names of the nodes behind it, and the bytes and pieces that it keeps."""
    x, w = _leaves(x, w, wants)
    kept = []

    def pack(tensor):
        kept.append(tensor.untyped_storage().nbytes())
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        y = scaled_swish.scaled_swish(x, w, alpha)
    behind = [None if node is None else type(node).__name__ for node, _ in y.grad_fn.next_functions]
    held = list(_tensors(vars(y.grad_fn)))
    return {
        "node": type(y.grad_fn).__name__,
        "is_own": isinstance(y.grad_fn, scaled_swish.ScaledSwish._backward_cls),
        "behind": behind,
        "kept": kept,
        "held": [tensor.numel() * tensor.element_size() for tensor in held],
    }


def entries(x, w, alpha, g, wants):
    """What `backward` itself gives: an array, or None, for each argument of `forward`."""
    x, w = _leaves(x, w, wants)
    got = []
    original = scaled_swish.ScaledSwish.backward

    def looked_at(ctx, *grads):
        found = original(ctx, *grads)
        got.append(found)
        return found

    scaled_swish.ScaledSwish.backward = staticmethod(looked_at)
    try:
        y = scaled_swish.scaled_swish(x, w, alpha)
        _grad(y, [t for t in (x, w) if t.requires_grad], torch.from_numpy(g))
    finally:
        scaled_swish.ScaledSwish.backward = staticmethod(original)
    return [None if t is None else t.detach().numpy().copy() for t in got[0]]


def asked_of_the_framework(x, w, alpha, g):
    """How the submission had the framework differentiate during a forward and a backward pass, call by call."""
    x, w = _leaves(x, w, "xw")
    y = scaled_swish.scaled_swish(x, w, alpha)
    del _asked[:]
    gx, gw = _grad(y, (x, w), torch.from_numpy(g), create_graph=True)
    return list(_asked), gx.detach().numpy().copy(), gw.detach().numpy().copy()


def changed_in_place(x, w, alpha, which, wants, columns):
    """`raised`, or the gradients that came out although an input was changed after the forward pass."""
    x, w = _leaves(x.copy(), w.copy(), wants)
    if columns:
        x = x.detach().t().contiguous().t().requires_grad_("x" in wants)
        w = w.detach().t().contiguous().t().requires_grad_("w" in wants)
    y = scaled_swish.scaled_swish(x, w, alpha)
    with torch.no_grad():
        (x if which == "x" else w).mul_(3.0)
    try:
        y.sum().backward()
    except RuntimeError as error:
        return "raised: " + str(error)
    return "gave a gradient"


def strided(x, w, alpha, g, layout):
    """Value and gradients for inputs or a gradient that lie in memory as `layout` says."""
    x, w, g = torch.from_numpy(x), torch.from_numpy(w), torch.from_numpy(g)
    if layout == "transposed":
        x = x.t().contiguous().t()
    elif layout == "every_second":
        x = x.repeat_interleave(2, dim=1)[:, ::2]
        w = w.repeat_interleave(2, dim=-1)[..., ::2]
    elif layout == "expanded_weight":
        w = w[:1].expand(w.shape[0])
    elif layout == "expanded_gradient":
        g = g[:1, :1].expand_as(g)
    elif layout == "transposed_gradient":
        g = g.t().contiguous().t()
    x, w = x.detach().requires_grad_(), w.detach().requires_grad_()
    y = scaled_swish.scaled_swish(x, w, alpha)
    gx, gw = _grad(y, (x, w), g)
    return [t.detach().contiguous().numpy().copy() for t in (y, gx, gw)]


def all_passes(x, w, alpha, g):
    """A value alone, a backward pass, and one with a graph, over tensors that lie in the arrays themselves."""
    scaled_swish.scaled_swish(torch.from_numpy(x), torch.from_numpy(w), alpha)
    x, w = _leaves(x, w, "xw")
    for graph in (False, True):
        y = scaled_swish.scaled_swish(x, w, alpha)
        _grad(y, (x, w), torch.from_numpy(g), create_graph=graph)


def each(called, cases):
    """The driver `called` for every case, in one worker; what a case raises stands in its place as text."""
    results = []
    for case in cases:
        try:
            results.append(globals()[called](**case))
        except Exception as error:  # noqa: BLE001 - told to the test that asked for this case
            results.append(f"{type(error).__name__}: {error}")
    return results
