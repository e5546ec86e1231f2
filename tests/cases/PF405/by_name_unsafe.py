# options: unsafe
# not run: it reads files that it does not make
"""More becomes of the values than a load_state_dict: they are worked with, kept, or given to others."""
import torch
import torch.nn as nn
from convert import strip_prefix

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def worked_with(path, other):
    net = nn.Linear(4, 2).to(device)
    state = torch.load(path)  # want: PF405 unsafe
    new = {}
    for k, v in state.items():
        new[k] = v
        other[k].add_(v)
    net.load_state_dict(new)
    return net


def given_to_a_function(path):
    net = nn.Linear(4, 2).to(device)
    state = torch.load(path)  # want: PF405 unsafe
    state = strip_prefix(state)
    net.load_state_dict(state)
    return net


def kept(path):
    net = nn.Linear(4, 2).to(device)
    state = torch.load(path)  # want: PF405 unsafe
    new = {k: v for k, v in state.items()}
    net.load_state_dict(new)
    return net, new


def mixed(path):
    net = nn.Linear(4, 2).to(device)
    state = torch.load(path)  # want: PF405 unsafe
    own = net.state_dict()
    own.update({k: 0.5 * v + 0.5 * own[k] for k, v in state.items()})
    net.load_state_dict(own)
    return net
