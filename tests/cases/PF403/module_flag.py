"""A module that was saved whole has the attributes that it had then: it gets no device for an attribute."""
import torch
from torch import nn


class Sampler(nn.Module):
    def __init__(self, use_cuda):
        super().__init__()
        self.out = nn.Linear(4, 2)
        self.use_cuda = use_cuda
        if self.use_cuda:  # want: PF403
            self.cuda()

    def sample(self, count):
        noise = torch.ones(count, 4)
        if self.use_cuda:  # want: PF403
            noise = noise.cuda()
        return self.out(noise)


print(Sampler(torch.cuda.is_available()).sample(3))
