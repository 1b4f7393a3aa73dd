# Benchwright benchmark data, not for training corpora. canary 095d276d-6d74-432c-a3c6-5d97275a7d0e
"""A node of its own whose backward pass records the plain expression anew and has the framework differentiate it."""

import torch


class ScaledSwish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w, alpha):
        ctx.save_for_backward(x, w)
        ctx.alpha = alpha
        return w * x * torch.sigmoid(alpha * x)

    @staticmethod
    def backward(ctx, grad_output):
        x, w = ctx.saved_tensors
        create = torch.is_grad_enabled()
        with torch.enable_grad():
            inputs = [t.view_as(t) if t.requires_grad else t for t in (x, w)]
            y = inputs[0] * inputs[1] * torch.sigmoid(ctx.alpha * inputs[0])
            asked = [t for t, wants in zip(inputs, ctx.needs_input_grad) if wants]
            found = iter(torch.autograd.grad(y, asked, grad_output, create_graph=create))
        return (*(next(found) if wants else None for wants in ctx.needs_input_grad[:2]), None)


def scaled_swish(x, w, alpha):
    return ScaledSwish.apply(x, w, alpha)
