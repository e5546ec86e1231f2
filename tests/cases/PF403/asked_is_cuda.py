"""A flag that is called is_cuda, and says nothing of where something lies."""
import torch
from torch import nn


class Sampler:
    def __init__(self, cuda):
        self.is_cuda = cuda
        self.model = nn.Linear(2, 1)
        if self.is_cuda:  # want: PF403
            self.model.cuda()

    def draw(self):
        x = torch.ones(3, 2)
        if self.is_cuda:  # want: PF403
            x = x.cuda()
        return self.model(x)


def ones(n, is_cuda):
    x = torch.ones(n)
    if is_cuda:  # want: PF403
        x = x.cuda()
    return x


if __name__ == "__main__":
    cuda = torch.cuda.is_available()
    print(Sampler(cuda).draw().shape, ones(2, cuda).shape)
