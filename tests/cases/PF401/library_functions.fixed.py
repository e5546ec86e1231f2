# options: unsafe
"""No script: importing it must not ask for CUDA, each function has its device."""
import logging

import torch
from torch import nn

__all__ = ["load"]
__all__ += ["train"]
logger = logging.getLogger(__name__)
logger.setLevel(logging.INFO)


def load(path):
    net = nn.Linear(3, 2)
    net.load_state_dict(torch.load(path))
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    return net.to(device)  # want: PF401


def train(net, loader):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    for x, y in loader:
        nn.functional.cross_entropy(net(x.to(device)), y.to(device)).backward()  # want: PF401 unsafe # want: PF401 unsafe


class Table(dict):
    pass


for word in __all__:
    Table()[word] = len(word)
# run: torch.save(nn.Linear(3, 2).state_dict(), "saved.pt")
# run: net = load("saved.pt")
# run: train(net, [(torch.ones(4, 3), torch.tensor([0, 1, 0, 1]))])
# run: print(net.weight.grad.sum().item())
