"""What the function shows to lie on the CPU, or asks about first, or tells nothing of."""
import numpy as np
import torch
from torch import nn


def apart(scores, labels):
    return scores.cpu().numpy(), labels.numpy()


def asked(x):
    if x.is_cuda:
        return x.cpu().numpy()
    return x.numpy()


def by_type(x):
    return x.numpy() if x.device.type == "cpu" else x.cpu().numpy()


def rebound(x):
    before = x.cpu().numpy()
    x = torch.from_numpy(before + 1)
    return x.numpy()


def taken_back(x):
    y = torch.zeros(2, device=x.device)
    x = x.cpu()
    return x.numpy(), y


def by_flag(x, use_cuda):
    if use_cuda:
        return x.cpu().numpy()
    else:
        return x.numpy()


def tried(x):
    try:
        return x.numpy()
    except TypeError:
        return x.cpu().numpy()


def drawn(x):
    shown = x.cpu()
    return shown.numpy(), torch.ones(2).to(x.device)


def checked(x):
    assert x.device == torch.device("cpu")
    return torch.from_numpy(x.numpy()).to(x.device)


def of_another(x, n):
    noise = torch.randn(n)
    return x.cpu().numpy(), noise.numpy()


def by_a_model(net: nn.Module, x):
    y = net(x)
    return x.cpu().numpy(), y.detach().numpy()


def in_a_loop(xs):
    for x in xs:
        print(x.cpu().numpy())
    return [np.abs(x.numpy()) for x in xs]


def other_items(batch):
    return batch["scores"].cpu().numpy(), batch["labels"].numpy()


def set_anew(batch):
    first = batch["labels"].cpu().numpy()
    batch["labels"] = torch.ones(2)
    return first, batch["labels"].numpy()
