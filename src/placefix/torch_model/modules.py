"""Layers, losses, optimizers and distributions of torch: the rows of `modules.tsv`.

role    weighted (its first argument is used with its parameters), recurrent (so is its initial state), attention, probably (operands and
        parameters are usually on one device), plain (one tensor in, one out on the same device), loss; optimizer; distribution
cells   weight: a parameter of that name is always there; eager: its state is made in the constructor; moves: its log_prob takes values from any device;
        of a loss: the function of torch.nn.functional that it calls with its operands
"""

from __future__ import annotations

import os
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from placefix.torch_model.rows import row

if TYPE_CHECKING:
    from placefix.torch_model.rows import Operator

_OPTIM = ("torch.optim.", "optim.")
_DISTRIBUTIONS = ("torch.distributions.", "distributions.")


class TorchClass(NamedTuple):
    """One class of torch."""

    name: str  # without torch.nn., or with the package it is in: optim.SGD
    role: str
    weight: bool  # has a parameter `weight` whatever it is made with
    eager: bool  # an optimizer with state before its first step
    moves: bool  # a distribution whose log_prob takes values from any device
    operator: Operator | None  # of a loss


@cache
def classes() -> dict[str, TorchClass]:
    """All rows by name."""
    with open(os.path.join(os.path.dirname(__file__), "modules.tsv"), encoding="utf-8") as stream:
        lines = stream.read().splitlines()
    found = {}
    for line in lines:
        if line.startswith(("#", "names\t")) or not line:
            continue
        names, role, cells, _ = line.split("\t")
        function = row(cells) if role == "loss" else None
        for name in names.split(" "):
            found[name] = TorchClass(name, role, cells == "weight", cells == "eager", cells == "moves", function)
    return found


@lru_cache(maxsize=2048)
def layer(name: str) -> TorchClass | None:
    """The layer or loss of torch.nn with a name, qualified (``torch.nn.Linear``) or not; None for others."""
    found = classes().get(name.rpartition(".")[2])
    return found if not name.startswith((_OPTIM[0], _DISTRIBUTIONS[0])) else None


def role_of(name: str) -> str:
    """The role of the layer or loss with a name; "" for others."""
    found = layer(name)
    return found.role if found is not None else ""


def has_weight(name: str) -> bool:
    """Whether a layer always has a parameter `weight`."""
    found = layer(name)
    return found is not None and found.weight


def is_eager(name: str) -> bool:
    """Whether the optimizer of a qualified name makes state in its constructor."""
    found = classes().get(name.replace(*_OPTIM, 1)) if name.startswith(_OPTIM[0]) else None
    return found is not None and found.eager


def distribution(name: str) -> TorchClass | None:
    """The distribution with a qualified name that is made of tensors; None for others."""
    last = name.rpartition(".")[2]
    return classes().get(_DISTRIBUTIONS[1] + last) if name.startswith(_DISTRIBUTIONS[0]) else None


def is_distribution(name: str) -> bool:
    """Whether a qualified name is a class of distributions that is made of tensors."""
    return distribution(name) is not None
