# options: unsafe
"""What names are bound to, what functions return and what attributes are set to can only be torch's."""
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.fc = nn.Linear(n, 1)

    @classmethod
    def load(cls, n):
        net = cls(n)
        return net


def pair(n):
    return torch.arange(n), torch.ones(n)


def scores(vocabulary, numbers):
    return vocabulary[numbers, 0:2], len(numbers)


class Features:
    def __init__(self, read, use_cuda):
        self.read = read
        self.use_cuda = use_cuda
        self.net = self.make()

    def make(self):
        if self.use_cuda:
            return Net(2)
        return Net.load(2)

    def place(self):
        if self.use_cuda:  # want: PF403 unsafe
            self.net = self.net.cuda()

    def of(self, image):
        pixels = self.read(image).unsqueeze(0)
        if self.use_cuda:  # want: PF403 unsafe
            pixels = pixels.cuda()
        return pixels


def gather(n, out, use_cuda):
    if not hasattr(gather, "_buffer"):
        gather._buffer = torch.zeros(n)
    buffer = gather._buffer
    if use_cuda:  # want: PF403
        buffer = buffer.cuda()
    out.append(buffer)


def batch(vocabulary, numbers, use_cuda):
    found, count = scores(vocabulary, numbers)
    index, weight = pair(count)
    if use_cuda:  # want: PF403 unsafe
        found, index, weight = found.cuda(), index.cuda(), weight.cuda()
    return found, index, weight
# run: cuda = torch.cuda.is_available()
# run: features = Features(lambda image: torch.ones(2) * image, cuda)
# run: features.place()
# run: print(features.of(3).sum().item(), next(features.net.parameters()).is_cuda == cuda)
# run: out = []
# run: gather(3, out, cuda)
# run: print(out[0].sum().item(), [x.sum().item() for x in batch(torch.ones(4, 3), [0, 2], cuda)])
