"""Tensors, their gradients and their generators across the wire, against the same code in this process."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from benchwright.records import Limits
from benchwright.sandbox.box import Box
from benchwright.sandbox.sandbox import Sandbox

torch = pytest.importorskip("torch", reason="torch is not installed: gradients across the wire are not tested")

SOURCE = """
import torch

def f(x, w):
    return torch.tanh(x @ w) * x.sum()

def two(x):
    return {"a": x.sin(), "b": [x.cos(), x.detach(), 3]}

def dropout(x, p):
    return torch.nn.functional.dropout(x, p)

def shuffled(n, generator):
    return torch.randperm(n, generator=generator)

def fill(x):
    with torch.no_grad():
        x.fill_(7)

def grad_mode():
    return torch.is_grad_enabled()

def kinds(t):
    return t, t.dtype, t.shape
"""


@pytest.fixture(scope="module")
def box(sandbox: Sandbox) -> Iterator[Box]:
    limits = Limits(seconds=200, cpu_seconds=120, memory_mb=2048)
    with sandbox.open({"sub.py": SOURCE.encode()}, imports=("numpy", "torch"), limits=limits) as opened:
        yield opened


@pytest.fixture
def sub(box: Box) -> Any:
    return box.load("sub.py")


@pytest.fixture(scope="module")
def local() -> dict[str, Any]:
    names: dict[str, Any] = {}
    exec(SOURCE, names)
    return names


def inputs(seed: int = 0) -> tuple[Any, Any]:
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(3, 4, dtype=torch.float64, generator=generator, requires_grad=True)
    w = torch.randn(4, 2, dtype=torch.float64, generator=generator, requires_grad=True)
    return x, w


def test_backward_gives_the_gradients_of_the_same_code_here(sub: Any, local: dict[str, Any]) -> None:
    x, w = inputs()
    sub.f(x, w).sum().backward()
    x2, w2 = inputs()
    local["f"](x2, w2).sum().backward()
    assert torch.equal(x.grad, x2.grad)
    assert torch.equal(w.grad, w2.grad)


def test_double_backward_too(sub: Any, local: dict[str, Any]) -> None:
    found = []
    for function in (sub.f, local["f"]):
        x, w = inputs(1)
        (first,) = torch.autograd.grad(function(x, w).sum(), x, create_graph=True)
        found.append(torch.autograd.grad((first**2).sum(), (x, w)))
    for a, b in zip(*found, strict=True):
        assert torch.allclose(a, b, rtol=1e-12)


def test_gradcheck_and_gradgradcheck_pass(sub: Any) -> None:
    x, w = inputs(2)
    assert torch.autograd.gradcheck(sub.f, (x, w))
    assert torch.autograd.gradgradcheck(sub.f, (x, w))


def test_nested_outputs_keep_what_has_a_gradient(sub: Any) -> None:
    x, _ = inputs(3)
    out = sub.two(x)
    assert out["b"][2] == 3
    assert not out["b"][1].requires_grad
    (out["a"] + out["b"][0]).sum().backward()
    assert torch.allclose(x.grad, x.detach().cos() - x.detach().sin())


def test_the_global_generator_is_shared(sub: Any, local: dict[str, Any]) -> None:
    x = torch.ones(1000)
    torch.manual_seed(3)
    first, after = local["dropout"](x, 0.5), torch.rand(3)
    torch.manual_seed(3)
    assert torch.equal(sub.dropout(x, 0.5), first)
    assert torch.equal(torch.rand(3), after)


def test_a_generator_passed_in_is_advanced(sub: Any, local: dict[str, Any]) -> None:
    ours, theirs = torch.Generator().manual_seed(4), torch.Generator().manual_seed(4)
    assert torch.equal(sub.shuffled(50, theirs), local["shuffled"](50, ours))
    assert torch.equal(theirs.get_state(), ours.get_state())


def test_a_tensor_is_changed_in_place(sub: Any) -> None:
    x = torch.zeros(2, 3).t()
    sub.fill(x)
    assert torch.equal(x, torch.full((3, 2), 7.0))


@pytest.mark.parametrize("name", ["float16", "bfloat16", "float32", "int8", "int64", "bool", "complex64", "uint8"])
def test_every_kind_of_tensor_comes_back(sub: Any, name: str) -> None:
    t = torch.arange(6).reshape(2, 3).to(getattr(torch, name))
    back, dtype, shape = sub.kinds(t)
    assert back is t
    assert dtype is t.dtype
    assert shape == t.shape
    assert type(shape) is torch.Size


def test_without_gradients_here_there_are_none_there(sub: Any) -> None:
    x, w = inputs(5)
    with torch.no_grad():
        assert not sub.f(x, w).requires_grad
        assert sub.grad_mode() is False
    assert sub.grad_mode() is True


def test_a_driver_builds_modules_and_optimizers_in_the_worker(box: Box) -> None:
    source = """
import torch
def drive(weight, x):
    model = torch.nn.Linear(4, 2, bias=False).double()
    with torch.no_grad():
        model.weight.copy_(weight)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    model(x).sum().backward()
    optimizer.step()
    return model.weight.detach(), model.weight.grad
"""
    x, w = inputs(6)
    weight, gradient = box.drive(source, weight=w.detach().t(), x=x.detach())
    assert torch.allclose(gradient, x.detach().sum(0).expand(2, 4))
    assert torch.allclose(weight, w.detach().t() - 0.5 * gradient)
