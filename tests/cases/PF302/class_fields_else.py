# A dataclass that moves its field back, one that gets unpacked arguments, a named tuple whose field was replaced.
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import torch
from torch import nn

DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")


@dataclass
class Back:
    model: nn.Module

    def __post_init__(self):
        self.model = self.model.cpu()


@dataclass
class Counted:
    made: ClassVar[int] = 0
    small: nn.Module
    large: nn.Module


class Pair(NamedTuple):
    name: str
    model: nn.Module


def back():
    held = Back(nn.Linear(3, 2).to(DEVICE))
    x = torch.ones(4, 3)
    return held.model(x)


def counted():
    held = Counted(nn.Linear(3, 2), nn.Linear(3, 2).to(DEVICE))
    x = torch.ones(4, 3)
    return held.small(x)


def unpacked(given):
    held = Counted(*given)
    x = torch.ones(4, 3)
    return held.small(x)


def replaced():
    held = Pair("linear", nn.Linear(3, 2).to(DEVICE))
    held = held._replace(model=nn.Linear(3, 2))
    x = torch.ones(4, 3)
    return held.model(x)


back()
counted()
replaced()
