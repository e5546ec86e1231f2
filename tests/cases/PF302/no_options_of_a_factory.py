"""What is made with options that nobody reads here may lie on a device."""
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def made_with_options(n, **options):
    table = torch.zeros(n, 3, **options)
    order = torch.randperm(n).to(device)
    return table[order] + torch.ones(3, **options).to(device)


class Grid:
    def __init__(self, **options):
        self.options = options
        self.points = torch.linspace(0.0, 1.0, 5, **self.options)

    def shifted(self, x):
        return self.points + x.to(device)


def summed(x):
    return Grid().shifted(x) + Grid(device=device).shifted(x.to(device))
