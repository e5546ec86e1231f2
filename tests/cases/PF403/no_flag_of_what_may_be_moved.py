# rules: PF401, PF403
"""What was moved by another question, or is bound to something else further round the loop, may lie on the GPU."""
import torch
import torch.nn as nn


def twice(n, use_cuda, first):
    x = torch.ones(n)
    if first:
        x = x.to("cuda")
    if use_cuda:  # want: PF403 unsafe
        x = x.cuda()
    return x


def round_and_round(net, train_loader, use_cuda):
    state = torch.zeros(3)
    for x in train_loader:
        if use_cuda:  # want: PF403 unsafe
            state = state.cuda()
        state = net(x, state)
    return state


def prefetched(prefetch_loader, use_cuda):
    for x in prefetch_loader:
        if use_cuda:  # want: PF403 unsafe
            x = x.cuda()
        yield x * 2


def held_out(parts, use_cuda):
    net = nn.Sequential(*parts)
    if use_cuda:  # want: PF403 unsafe
        net.cuda()
    return net


def rebound(net, use_cuda):
    y = torch.ones(3)
    y = net(y)
    if use_cuda:  # want: PF403 unsafe
        y = y.cuda()
    return y
