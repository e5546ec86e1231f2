"""A checkpoint whose values go by name into other dicts, and from there into the module."""
# not run: it reads files that it does not make
from collections import OrderedDict

import numpy as np
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 2)

    def forward(self, x):
        return self.body(x)


def merged(path):
    net = Net()
    loaded = torch.load(path, map_location="cpu")  # want: PF405
    own = net.state_dict()
    loaded = {k: v for k, v in loaded.items() if k in own and v.size() == own[k].size()}
    own.update(loaded)
    net.load_state_dict(own)
    return net.cuda()


def renamed(path):
    net = Net()
    state = torch.load(path, map_location="cpu")["state_dict"]  # want: PF405
    new = OrderedDict()
    for k, v in state.items():
        name = k[7:]
        new[name] = v
    net.load_state_dict(new)
    return net.cuda()


def in_place(path):
    net = Net()
    checkpoint = torch.load(path, map_location="cpu")  # want: PF405
    print(len(checkpoint), "head.weight" in checkpoint)
    weights = checkpoint["model"]
    for k in list(weights.keys()):
        weights[k.replace("module.", "")] = weights.pop(k)
    del weights["head.weight"]
    weights.pop("head.bias")
    net.load_state_dict(weights, strict=False)
    return net.cuda()


def at_once(path):
    net = Net()
    net.load_state_dict({k.replace("module.", ""): v for k, v in torch.load(path, map_location="cpu").items()})  # want: PF405
    return net.cuda()


def of_the_same_shape(path):
    net = Net()
    taken, left = {}, []
    own = net.state_dict()
    stored = torch.load(path, map_location="cpu")  # want: PF405
    for k, v in stored.items():
        if k in own.keys() and np.shape(own[k]) == np.shape(v):
            taken[k] = v
        else:
            left.append(k)
    own.update(taken)
    net.load_state_dict(own)
    return net.cuda(), left


def strip_prefix(state):
    return {k[7:]: v for k, v in state.items()}


def through_a_function(path):
    net = Net()
    state = torch.load(path, map_location="cpu")  # want: PF405
    state = strip_prefix(state)
    print(f"{len(state)} values")
    net.load_state_dict(state)
    return net.cuda()


print(merged("a.pt"), renamed("b.pt"), in_place("c.pt"), at_once("d.pt"), of_the_same_shape("e.pt"), through_a_function("f.pt"))
