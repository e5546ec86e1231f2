# Parts that are no tensors, that stay on the CPU, or that nothing uses with the moved ones; PF302 has the last one.
# options: unsafe
import torch


def lengths(batch, rnn, device):
    x = batch["x"].to(device)
    lengths = batch["lengths"]
    return rnn(x, lengths)


def names(batch, save, device):
    image = batch["image"].to(device)
    path = batch["image_path"]
    save(image, path)


def read_by_numpy(batch, step, device):
    x = batch["x"].to(device)
    y = batch["y"]
    step(x, y)
    return y.numpy()


def moved_later(batch, step, device):
    x = batch["x"].to(device)
    y = batch["y"]
    return step(x, y.to(device))


def counted(batch, device):
    x = batch["x"].to(device)
    y = batch["y"]
    return [a for a, b in zip(x, y) if b]


def settings(scheduler, device):
    sigmas = scheduler.sigmas.to(device)
    padding = scheduler.config.padding
    return torch.nn.functional.pad(sigmas, padding)


class Scaler:
    def load(self, state, device):
        self.scale = state["scale"].to(device)
        self.growth = state["growth"]
        self.backoff = state["backoff"]


class Sampler:
    def start(self, base, device):
        self.sigmas = base.sigmas.to(device)
        self.timesteps = base.timesteps.to(device)
        self.steps = base.steps


def two_things(batch, extra, step, device):
    x = batch["x"].to(device)
    y = extra["y"]
    return step(x, y)


def bound_twice(batch, step, device, own):
    x = batch["x"].to(device)
    y = batch["y"]
    if own:
        y = own
    return step(x, y)


def items_by_number(batch, device):
    x = batch[0]
    y = batch[1].to(device)
    return x + y
