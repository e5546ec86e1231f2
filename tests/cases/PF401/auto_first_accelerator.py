# options: target-torch=2.6 device-idiom=auto
import torch
from torch import nn


def run():
    model = nn.Linear(2, 1).cuda()  # want: PF401
    return model(torch.ones(1, 2).cuda())  # want: PF401


def norm():
    return torch.ones(3).cuda().norm()  # want: PF401


def load(path):
    return torch.load(path, map_location="cpu")


if __name__ == "__main__":
    print(run(), norm())
