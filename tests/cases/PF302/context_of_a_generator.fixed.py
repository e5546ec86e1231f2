"""A generator under contextmanager enters the context of a device for the code that uses it; another one enters none of a device."""
from contextlib import contextmanager

import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


@contextmanager
def made_on(place):
    with place:
        yield


@contextmanager
def without_gradients():
    with torch.no_grad():
        yield 2


net = nn.Linear(3, 2).to(device)
with made_on(device):
    x = torch.ones(4, 3)
print(net(x).shape)
with without_gradients() as count:
    y = torch.ones(count, 3, device=device)  # want: PF302
    print(net(y).shape)
