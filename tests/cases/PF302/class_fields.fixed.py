# The fields of a dataclass and of a named tuple hold the placed model; one class sets the attribute of another one.
# run: Owner().run()
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import nn

DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")


@dataclass
class Parts:
    model: nn.Module
    device: torch.device = DEVICE


class Pair(NamedTuple):
    name: str
    model: nn.Module


def parts():
    held = Parts(nn.Linear(3, 2).to(DEVICE))
    x = torch.ones(4, 3, device=DEVICE)  # want: PF302
    return held.model(x)


def pair():
    held = Pair("linear", model=nn.Linear(3, 2).to(DEVICE))
    x = torch.ones(4, 3, device=DEVICE)  # want: PF302
    return held.model(x)


class Holder:
    def __init__(self):
        self.model = None

    def step(self):
        x = torch.ones(4, 3, device=DEVICE)  # want: PF302
        return self.model(x)


class Owner:
    def __init__(self):
        self.holder = Holder()
        self.holder.model = nn.Linear(3, 2).to(DEVICE)

    def run(self):
        return self.holder.step()


parts()
pair()
