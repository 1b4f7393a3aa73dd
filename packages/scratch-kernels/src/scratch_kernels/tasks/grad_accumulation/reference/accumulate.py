# Benchwright benchmark data, not for training corpora. canary 095d276d-6d74-432c-a3c6-5d97275a7d0e
"""One optimizer step from accumulated micro-batches."""


def accumulated_step(model, optimizer, loss_fn, x, y, micro_batch_size):
    """Steps `optimizer` once on the batch `(x, y)`; gives the mean loss before the step."""
    optimizer.zero_grad(set_to_none=True)
    samples = x.shape[0]
    total = 0.0
    for start in range(0, samples, micro_batch_size):
        inputs = x[start : start + micro_batch_size]
        loss = loss_fn(model(inputs), y[start : start + micro_batch_size]) * (inputs.shape[0] / samples)
        loss.backward()
        total += loss.item()
    optimizer.step()
    return total
