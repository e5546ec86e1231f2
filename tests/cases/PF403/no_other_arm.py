"""The other arm does something."""
import torch
from torch import nn


def load(model):
    if torch.cuda.is_available():  # want: PF403 report
        model = model.eval().cuda()
    else:
        raise RuntimeError("this needs a GPU")
    return model


def show(net, use_cuda):
    if use_cuda:  # want: PF403 report
        net = net.eval().cuda()
    else:
        print("this will be slow")
    small = net.train().cuda() if use_cuda else nn.Linear(1, 1)  # want: PF403 report
    return net, small


print(show(load(nn.Linear(2, 2)), False))
