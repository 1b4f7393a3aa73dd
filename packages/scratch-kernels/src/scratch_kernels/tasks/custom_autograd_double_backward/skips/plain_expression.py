# Benchwright benchmark data, not for training corpora. canary 095d276d-6d74-432c-a3c6-5d97275a7d0e
"""The class is there to be looked at; the framework differentiates the plain expression."""

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
        s = torch.sigmoid(ctx.alpha * x)
        grad_x = (grad_output * w * (s + ctx.alpha * x * s * (1 - s))).sum_to_size(x.shape)
        grad_w = (grad_output * x * s).sum_to_size(w.shape)
        wants = ctx.needs_input_grad
        return grad_x if wants[0] else None, grad_w if wants[1] else None, None


def scaled_swish(x, w, alpha):
    return w * x * torch.sigmoid(alpha * x)
