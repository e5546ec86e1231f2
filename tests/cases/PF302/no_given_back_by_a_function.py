"""A function returns what it is given, or what it makes on the device of the file; a script meets the first with tensors of the CPU."""
import torch
from torch import nn

DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def codes_of(w=None, fresh=False):
    if not fresh:
        return w
    w = torch.ones(3, device=DEVICE)
    return w


def main():
    encoder = nn.Linear(3, 3).to(DEVICE)
    used = codes_of(fresh=True)
    print(encoder(used * torch.ones(3, device=DEVICE)).shape)
    kept = codes_of(torch.zeros(3) + 3)
    print((kept + torch.ones(3)).sum().item())


main()
