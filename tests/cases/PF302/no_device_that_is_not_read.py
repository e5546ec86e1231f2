# options: unsafe
# The device is read, the caller moves the tensor in the same statement, or nothing but numbers is read of it.
import torch


def read(n, device):
    mask = torch.ones(n, n)
    return mask.tril().to(device)


def given_on(n, device):
    rows = {"device": device}
    return torch.ones(n, **rows)


def counted(n, device):
    steps = torch.linspace(0, 1, n)
    return [step.item() for step in steps], steps.tolist()


def scalar(device):
    return torch.tensor(0.5)


class Noise(Base):
    def sample(self, n, device):
        return torch.ones(n)


def bound_again(x, fast):
    device = x.device
    if fast:
        device = "cpu"
    return torch.ones(3), x


def asked(n, device, dtype):
    empty = torch.empty(n, dtype=dtype)
    return float if empty.is_floating_point() else empty.dtype
