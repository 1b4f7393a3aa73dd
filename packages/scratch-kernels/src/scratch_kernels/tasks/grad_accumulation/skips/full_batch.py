# Benchwright benchmark data, not for training corpora. canary 095d276d-6d74-432c-a3c6-5d97275a7d0e
"""The plain version: the whole batch at once, whatever size is asked for."""


def accumulated_step(model, optimizer, loss_fn, x, y, micro_batch_size):
    optimizer.zero_grad(set_to_none=True)
    loss = loss_fn(model(x), y)
    loss.backward()
    optimizer.step()
    return loss.item()
