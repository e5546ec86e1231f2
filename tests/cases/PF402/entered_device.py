"""A device that a `with` statement enters, and a dict that gives a factory its device."""
import torch


def build():
    settings = {"device": "cuda:0"}  # want: PF402
    with torch.no_grad(), torch.device("cuda"):  # want: PF402
        weight = torch.ones(2)
    return weight + torch.zeros(2, **settings)
# run: print(build().sum().item())
