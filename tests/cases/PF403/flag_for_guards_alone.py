# run: print(several()[0].shape, one().shape)
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
