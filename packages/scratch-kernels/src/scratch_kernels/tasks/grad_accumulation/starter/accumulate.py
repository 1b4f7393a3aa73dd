"""One optimizer step from accumulated micro-batches."""


def accumulated_step(model, optimizer, loss_fn, x, y, micro_batch_size):
    """Steps `optimizer` once on the batch `(x, y)`; gives the mean loss before the step."""
    raise NotImplementedError
