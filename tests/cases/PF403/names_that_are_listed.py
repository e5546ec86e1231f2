# Functions that take all of their names: a new local device would be among them.
import torch
import torch.nn as nn


def train(lr=0.1, use_gpu=torch.cuda.is_available()):
    net = nn.Linear(3, 2)
    if use_gpu:  # want: PF403 report
        net = net.cuda()
    settings = {name: value for name, value in locals().items() if isinstance(value, float)}
    print(sorted(locals()), settings)
    return net


def report(use_gpu=torch.cuda.is_available()):
    x = torch.ones(2)
    if use_gpu:  # want: PF403 report
        x = x.cuda()
    return "{use_gpu} {x}".format(**vars())


train()
report()
