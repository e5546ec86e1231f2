"""A new device of a function has the spelling of an equal one that the function writes out, and takes its place."""
# run: g = torch.cuda.is_available(); print(fit(3, g).shape, early(3, g).shape, other(3, g, g).shape)
import torch
from torch import nn


def fit(n, cuda=False):
    model = nn.Linear(n, n)
    device = torch.device("cuda") if cuda else torch.device("cpu")
    # want: PF403
    model.to(device)
    rows = torch.ones(3, n)
    # want: PF403
    rows = rows.to(device)
    out = model(rows)
    for _ in range(2):
        test = torch.linspace(0, 1, n, device=device)
        out = out + model(test)
    return out


def early(n, cuda=False):
    device = torch.device("cuda" if cuda else "cpu")
    rows = torch.ones(3, n, device=device)
    model = nn.Linear(n, n)
    # want: PF403
    model = model.to(device)
    return model(rows)


def other(n, cuda=False, gpu=False):
    model = nn.Linear(n, n)
    device = torch.device("cuda" if cuda else "cpu")
    # want: PF403
    model = model.to(device)
    x = torch.ones(n, device=torch.device("cuda") if gpu else torch.device("cpu"))
    return model(torch.ones(n, device="cuda" if cuda else "cpu")).sum().item() + x
