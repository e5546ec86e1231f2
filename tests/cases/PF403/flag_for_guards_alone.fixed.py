# run: print(several()[0].shape, one().shape, by_method().shape, by_builtin())
"""A local flag that was made for guards goes with the last of them, where a device is at hand."""
import torch
from torch import nn


def several():
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = nn.Linear(2, 1)
    # want: PF403
    model.to(device)
    x = torch.ones(1, 2)
    x = x.to(device)  # want: PF403
    y = torch.ones(1, 2, device=device)  # want: PF403
    return model(x), y.to(device)


def one():
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = nn.Linear(2, 1).to(device)
    x = torch.ones(1, 2, device=device)  # want: PF403
    return model(x)


def by_method():
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = nn.Linear(2, 1)
    model.eval()
    # want: PF403
    model.to(device)
    return model(torch.ones(1, 2).to(device))


def by_builtin():
    use_cuda = torch.cuda.is_available()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    x = torch.ones(1, 2).sum()
    # want: PF403
    x = x.to(device)
    return (x + torch.ones(1, device=device)).item() * eval("2 if use_cuda else 2.0")
