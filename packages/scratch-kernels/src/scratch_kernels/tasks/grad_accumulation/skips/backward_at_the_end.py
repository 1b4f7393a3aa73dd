# Benchwright benchmark data, not for training corpora. canary 095d276d-6d74-432c-a3c6-5d97275a7d0e
"""Splits the batch, adds the losses up and differentiates once: every piece's activations stay alive."""


def accumulated_step(model, optimizer, loss_fn, x, y, micro_batch_size):
    optimizer.zero_grad(set_to_none=True)
    pieces = zip(x.split(micro_batch_size), y.split(micro_batch_size))
    loss = sum(loss_fn(model(i), t) * (len(t) / len(y)) for i, t in pieces)
    loss.backward()
    optimizer.step()
    return loss.item()
