"""A device that a `with` statement enters, and a dict that gives a factory its device."""
import torch


def build():
    settings = {"device": "cuda:0" if torch.cuda.is_available() else "cpu"}  # want: PF402
    with torch.no_grad(), torch.device("cuda" if torch.cuda.is_available() else "cpu"):  # want: PF402
        weight = torch.ones(2)
    return weight + torch.zeros(2, **settings)
# run: print(build().sum().item())
