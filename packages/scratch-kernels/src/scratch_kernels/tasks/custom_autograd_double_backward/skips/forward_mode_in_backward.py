# Benchwright benchmark data, not for training corpora. canary 095d276d-6d74-432c-a3c6-5d97275a7d0e
"""A scaled swish whose slope the framework finds, by dual numbers instead of a second graph."""

import torch


def _summed_to(gradient, shape):
    """`gradient` summed over whatever dimensions were broadcast from `shape`."""
    return gradient.sum_to_size(shape)


class ScaledSwish(torch.autograd.Function):
    """`w * x * sigmoid(alpha * x)` with a derivative of its own."""

    @staticmethod
    def forward(ctx, x, w, alpha):
        ctx.save_for_backward(x, w)
        ctx.alpha = alpha
        return w * x * torch.sigmoid(alpha * x)

    @staticmethod
    def backward(ctx, grad_output):
        x, w = ctx.saved_tensors
        alpha = ctx.alpha
        s = torch.sigmoid(alpha * x)
        grad_x = grad_w = None
        if ctx.needs_input_grad[0]:
            # 1 - sigmoid(t) is sigmoid(-t), without the cancellation.
            slope = torch.func.jvp(lambda t: t * torch.sigmoid(alpha * t), (x,), (torch.ones_like(x),))[1]
            grad_x = _summed_to(grad_output * w * slope, x.shape)
        if ctx.needs_input_grad[1]:
            grad_w = _summed_to(grad_output * x * s, w.shape)
        return grad_x, grad_w, None


def scaled_swish(x, w, alpha):
    """`w * x * sigmoid(alpha * x)`."""
    return ScaledSwish.apply(x, w, alpha)
