# run: print(several()[0].shape, one().shape, by_method().shape, by_builtin())
"""A local flag that was made for guards goes with the last of them, where a device is at hand."""
import torch
from torch import nn


def several():
    use_cuda = torch.cuda.is_available()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = nn.Linear(2, 1)
    if use_cuda:  # want: PF403
        model.cuda()
    x = torch.ones(1, 2)
    x = x.cuda() if use_cuda else x  # want: PF403
    y = torch.ones(1, 2)
    if use_cuda:  # want: PF403
        y = y.cuda()
    return model(x), y.to(device)


def one():
    cuda = torch.cuda.is_available()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = nn.Linear(2, 1).to(device)
    x = torch.ones(1, 2)
    if cuda:  # want: PF403
        x = x.cuda()
    return model(x)


def by_method():
    cuda = torch.cuda.is_available()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = nn.Linear(2, 1)
    model.eval()
    if cuda:  # want: PF403
        model.cuda()
    return model(torch.ones(1, 2).to(device))


def by_builtin():
    use_cuda = torch.cuda.is_available()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    x = torch.ones(1, 2).sum()
    if use_cuda:  # want: PF403
        x = x.cuda()
    return (x + torch.ones(1, device=device)).item() * eval("2 if use_cuda else 2.0")
