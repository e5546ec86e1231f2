"""A module that was saved whole has the attributes that it had then: it gets no device for an attribute."""
import torch
from torch import nn


class Sampler(nn.Module):
    def __init__(self, use_cuda):
        super().__init__()
        self.out = nn.Linear(4, 2)
        self.use_cuda = use_cuda
        device = torch.device("cuda" if self.use_cuda else "cpu")
        # want: PF403
        self.to(device)

    def sample(self, count):
        noise = torch.ones(count, 4, device=self.out.weight.device)  # want: PF403
        return self.out(noise)


print(Sampler(torch.cuda.is_available()).sample(3))
