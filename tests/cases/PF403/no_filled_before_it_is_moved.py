"""What is filled is another thing, or of what it is filled with it is a part itself; or something else happens between."""
import torch
from torch import nn


def another(use_cuda, path, state):
    net, other = nn.Linear(2, 1), nn.Linear(2, 1)
    if use_cuda:  # want: PF403 note
        other.load_state_dict(torch.load(path))
        net = net.cuda()
        net = nn.DataParallel(net)
    return net, other


def itself(use_cuda, merged):
    net = nn.Linear(2, 1)
    if use_cuda:  # want: PF403 note
        net.load_state_dict(merged(net))
        net = net.cuda()
        net = nn.DataParallel(net)
    return net


def assigned(use_cuda, path):
    net = nn.Linear(2, 1)
    if use_cuda:  # want: PF403 note
        net.load_state_dict(torch.load(path), assign=True)
        net = net.cuda()
        net = nn.DataParallel(net)
    return net


def between(use_cuda, path):
    net = nn.Linear(2, 1)
    if use_cuda:  # want: PF403 note
        net.load_state_dict(torch.load(path))
        print(net.weight.device)
        net = net.cuda()
        net = nn.DataParallel(net)
    return net
