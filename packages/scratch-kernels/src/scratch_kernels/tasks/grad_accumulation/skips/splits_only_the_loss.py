# Benchwright benchmark data, not for training corpora. canary 095d276d-6d74-432c-a3c6-5d97275a7d0e
"""One forward pass over the whole batch; the loss alone is taken piece by piece."""


def accumulated_step(model, optimizer, loss_fn, x, y, micro_batch_size):
    optimizer.zero_grad(set_to_none=True)
    pieces = zip(model(x).split(micro_batch_size), y.split(micro_batch_size))
    loss = sum(loss_fn(p, t) * (len(t) / len(y)) for p, t in pieces)
    loss.backward()
    optimizer.step()
    return loss.item()
