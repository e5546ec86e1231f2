"""A new device of a function has the spelling of an equal one that the function writes out, and takes its place."""
# run: g = torch.cuda.is_available(); print(fit(3, g).shape, early(3, g).shape, other(3, g, g).shape)
import torch
from torch import nn


def fit(n, cuda=False):
    model = nn.Linear(n, n)
    if cuda:  # want: PF403
        model.cuda()
    rows = torch.ones(3, n)
    if cuda:  # want: PF403
        rows = rows.cuda()
    out = model(rows)
    for _ in range(2):
        test = torch.linspace(0, 1, n, device=torch.device("cuda") if cuda else torch.device("cpu"))
        out = out + model(test)
    return out


def early(n, cuda=False):
    rows = torch.ones(3, n, device=torch.device("cuda" if cuda else "cpu"))
    model = nn.Linear(n, n)
    if cuda:  # want: PF403
        model = model.cuda()
    return model(rows)


def other(n, cuda=False, gpu=False):
    model = nn.Linear(n, n)
    if cuda:  # want: PF403
        model = model.cuda()
    x = torch.ones(n, device=torch.device("cuda") if gpu else torch.device("cpu"))
    return model(torch.ones(n, device="cuda" if cuda else "cpu")).sum().item() + x
