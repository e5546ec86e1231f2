# The move stays where the lines above do not create the tensor with the same values on any device, or read it, or have a comment.
# run: print([t.sum().item() for t in (drawn(2, cuda), steps(2, cuda), read(2, cuda)[0], told(2, cuda), learned(2, cuda))])
# given: import torch
# given: cuda = torch.cuda.is_available()
import torch


def drawn(n, use_cuda):
    noise = torch.rand(n)
    if use_cuda:  # want: PF403
        noise = noise.cuda()
    return noise * 0


def steps(n, use_cuda):
    grid = torch.arange(0, n, 0.1)
    if use_cuda:  # want: PF403
        grid = grid.cuda()
    return grid


def read(n, use_cuda):
    a = torch.zeros(n)
    kept = a.numpy()
    if use_cuda:  # want: PF403
        a = a.cuda()
    return a, kept


def told(n, use_cuda):
    # a mask of nothing
    a = torch.zeros(n)
    # on the GPU it is faster
    if use_cuda:  # want: PF403
        a = a.cuda()
    return a


def learned(n, use_cuda):
    a = torch.zeros(n, requires_grad=True)
    if use_cuda:  # want: PF403
        a = a.cuda()
    return a
