# rules: PF401, PF403
"""With the flag off the module, its buffers and what it is fed may lie on the GPU already: the caller placed them."""
import torch
import torch.nn as nn


class Noisy(nn.Module):
    def __init__(self, n, use_cuda):
        super().__init__()
        self.use_cuda = use_cuda
        self.w = nn.Parameter(torch.zeros(n, n))
        self.register_buffer("eps", torch.zeros(n, n))

    def forward(self, x):
        if self.use_cuda:  # want: PF403 unsafe
            eps = self.eps.cuda()
        else:
            eps = self.eps
        return nn.functional.linear(x, self.w + eps)


class Conditional(nn.Module):
    def __init__(self, use_cuda):
        super().__init__()
        self.use_cuda = use_cuda
        self.register_buffer("eps", torch.ones(3))
        self.w = nn.Parameter(torch.ones(3))

    def forward(self, x):
        e = self.eps.cuda() if self.use_cuda else self.eps  # want: PF403 unsafe
        return x * self.w + e


class Recurrent(nn.Module):
    def __init__(self, cuda=False):
        super().__init__()
        self.cuda_flag = cuda
        self.l = nn.Linear(3, 3)
        self.h = None

    def forward(self, x):
        h = self.l(x)
        if self.h is None:
            self.h = h.detach()
        prev = self.h
        if self.cuda_flag:  # want: PF403 unsafe
            prev = prev.cuda()
        return h + prev


class Fed(nn.Module):
    def __init__(self, gpu):
        super().__init__()
        self.gpu = gpu
        self.l = nn.Linear(3, 3)

    def forward(self, x):
        if self.gpu:  # want: PF403 unsafe
            x = x.cuda()
        return self.l(x)


def noise(eps, use_cuda):
    eps = eps.cuda() if use_cuda else eps  # want: PF403 unsafe
    return eps * 2
