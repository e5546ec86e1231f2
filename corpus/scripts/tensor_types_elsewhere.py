"""Type names that other code is given, or asks about: they stay."""
import torch

use_cuda = torch.cuda.is_available()
dtype = torch.cuda.FloatTensor if use_cuda else torch.FloatTensor


def fill(make, rows, value):
    return make(rows, 2).fill_(value)


def where(x):
    return "GPU" if x.type() == "torch.cuda.FloatTensor" or isinstance(x, torch.cuda.FloatTensor) else "host"


if __name__ == "__main__":
    ones = fill(dtype, 3, 1.0)
    print(where(ones.cpu()), ones.type(dtype).sum().item())
