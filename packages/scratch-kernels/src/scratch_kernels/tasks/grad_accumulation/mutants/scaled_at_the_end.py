# Benchwright benchmark data, not for training corpora. canary 095d276d-6d74-432c-a3c6-5d97275a7d0e
def accumulated_step(model, optimizer, loss_fn, x, y, micro_batch_size):
    optimizer.zero_grad()
    total = 0.0
    for inputs, targets in zip(x.split(micro_batch_size), y.split(micro_batch_size)):
        loss = loss_fn(model(inputs), targets) * len(inputs)
        loss.backward()
        total += loss.item()
    for group in optimizer.param_groups:
        for parameter in group["params"]:
            if parameter.grad is not None:
                parameter.grad /= len(x)
    optimizer.step()
    return total / len(x)
