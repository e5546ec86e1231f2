import functools

import torch
import torch.nn as nn


def load(path):
    return {}


def restore(path, device, **options):
    net = nn.Linear(4, 2).to(device)
    net.load_state_dict(torch.load(path, map_location=device))
    net.load_state_dict(torch.load(path, "cpu"))
    net.load_state_dict(torch.load(path, **options))
    net.load_state_dict(torch.load(*path))
    net.load_state_dict(load(path))
    read = functools.partial(torch.load, map_location="cpu")
    net.load_state_dict(read(path))
    return net
