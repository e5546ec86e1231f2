# options: unsafe
# Two calls give two tensors, and one of them is moved where both are passed: they are other calls, or the other tensor is moved or bound again.


def other_call(buffer, generate, device):
    condition = buffer.sample(1)
    seed = buffer.sample(2)
    return generate(condition, seed=seed.to(device))


def on_device(buffer, generate, device):
    condition = buffer.sample(device)
    seed = buffer.sample(device)
    return generate(condition, seed=seed.to(device))


def bound_again(buffer, generate, device):
    condition = buffer.sample()
    condition = generate(condition)
    seed = buffer.sample()
    return generate(condition, seed=seed.to(device))


def lengths(buffer, generate, device):
    lengths = buffer.sample()
    seed = buffer.sample()
    return generate(lengths, seed=seed.to(device))


def apart(buffer, generate, device):
    condition = buffer.sample()
    seed = buffer.sample()
    return generate(condition), generate(seed.to(device))
