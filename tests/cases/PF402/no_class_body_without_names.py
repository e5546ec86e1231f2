"""The body of a class makes a tensor in a comprehension before it binds a name."""
import torch


class Config:
    weight = [torch.ones(n, device="cuda") for n in (1, 2)][0]  # want: PF402 report
