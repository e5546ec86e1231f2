"""A flag that is called is_cuda, and says nothing of where something lies."""
import torch
from torch import nn


class Sampler:
    def __init__(self, cuda):
        self.is_cuda = cuda
        self.device = torch.device("cuda" if self.is_cuda else "cpu")
        self.model = nn.Linear(2, 1)
        # want: PF403
        self.model.to(self.device)

    def draw(self):
        x = torch.ones(3, 2)
        # want: PF403
        x = x.to(self.device)
        return self.model(x)


def ones(n, is_cuda):
    device = torch.device("cuda" if is_cuda else "cpu")
    x = torch.ones(n, device=device)  # want: PF403
    return x


if __name__ == "__main__":
    cuda = torch.cuda.is_available()
    print(Sampler(cuda).draw().shape, ones(2, cuda).shape)
