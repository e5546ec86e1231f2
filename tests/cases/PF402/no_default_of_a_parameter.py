"""Defaults that stay: asked about, on the line of the function, compiled, or no torch.device."""
import torch
from torch import device


def asked(x, device=torch.device("cuda")):  # want: PF402 note
    if device is None:
        return x
    return x.to(device)


def or_else(x, device=torch.device("cuda")):  # want: PF402 note
    return x.to(device or "cpu")


def on_one_line(x, device=torch.device("cuda")): return x.to(device)  # want: PF402 note


@torch.jit.script
def compiled(x, device: torch.device = torch.device("cuda")):  # want: PF402 note
    y = x.to(device)
    return y


def by_name(x, where=device("cuda")):  # want: PF402 note
    y = x.to(where)
    return y


def word(x, device="cuda"):
    y = x.to(device)
    return y


later = lambda x, device=torch.device("cuda"): x.to(device)


class Base:
    def place(self, x, device=torch.device("cuda")):  # want: PF402 note
        """Move it."""
        raise NotImplementedError
