# Benchwright benchmark data, not for training corpora. canary 095d276d-6d74-432c-a3c6-5d97275a7d0e
"""Builds model and optimizer in the worker, calls the submission once or more, and gives back plain arrays.

The activation and the loss are functions of the grader's: it computes their values and their derivatives, so it sees
every piece that goes forward, is scored, and goes backward, and nothing here holds what they compute.
"""

import torch
from accumulate import accumulated_step


class Activation(torch.autograd.Function):
    @staticmethod
    def forward(ctx, t, forward, backward):
        ctx.backward_call = backward
        ctx.save_for_backward(t)
        return torch.from_numpy(forward(t.detach().numpy().copy()))

    @staticmethod
    def backward(ctx, g):
        (t,) = ctx.saved_tensors
        return torch.from_numpy(ctx.backward_call(t.detach().numpy().copy(), g.detach().numpy().copy())), None, None


class Loss(torch.autograd.Function):
    @staticmethod
    def forward(ctx, prediction, target, call):
        value, slope = call(prediction.detach().numpy().copy(), target.numpy().copy())
        ctx.save_for_backward(torch.from_numpy(slope))
        return torch.tensor(value, dtype=torch.float64)

    @staticmethod
    def backward(ctx, g):
        return g * ctx.saved_tensors[0], None, None


class Network(torch.nn.Module):
    def __init__(self, weights, forward, backward):
        super().__init__()
        for name, value in weights.items():
            setattr(self, name, torch.nn.Parameter(torch.from_numpy(value.copy())))
        self.gate = torch.nn.Identity()
        self.calls = forward, backward

    def forward(self, x):
        hidden = Activation.apply(x @ self.w1 + self.b1, *self.calls)
        return self.gate(hidden) @ self.w2 + self.b2


def steps(
    weights,
    x,
    y,
    micro_batch_size,
    optimizer,
    settings,
    forward,
    backward,
    loss,
    stepped,
    calls,
    frozen,
    stale,
    evaluation,
):
    model = Network(weights, forward, backward)
    for name, parameter in model.named_parameters():
        parameter.requires_grad_(name not in frozen)
        if name in stale:
            parameter.grad = torch.from_numpy(stale[name].copy())
    if evaluation:
        model.gate.eval()
    modes = [module.training for module in model.modules()]
    # A frozen parameter with a gradient would be stepped all the same: such a one is none of the optimizer's.
    stepped_ones = [p for name, p in model.named_parameters() if not (name in frozen and name in stale)]
    steps = getattr(torch.optim, optimizer)(stepped_ones, **settings)
    steps.register_step_post_hook(lambda *_: stepped())
    inputs, targets = torch.from_numpy(x.copy()), torch.from_numpy(y.copy())

    def loss_fn(prediction, target):
        return Loss.apply(prediction, target, loss)

    losses = [accumulated_step(model, steps, loss_fn, inputs, targets, micro_batch_size) for _ in range(calls)]
    return {
        "parameters": {name: p.detach().numpy().copy() for name, p in model.named_parameters()},
        "gradients": {name: None if p.grad is None else p.grad.numpy().copy() for name, p in model.named_parameters()},
        "losses": losses,
        "same_modes": modes == [module.training for module in model.modules()],
        "x": inputs.numpy().copy(),
        "y": targets.numpy().copy(),
    }


def each(runs):
    """`steps(**run)` for every run, in one worker; what a run raises stands in its place as text."""
    results = []
    for run in runs:
        try:
            results.append(steps(**run))
        except Exception as error:  # noqa: BLE001 - told to the test that asked for this run
            results.append(f"{type(error).__name__}: {error}")
    return results
