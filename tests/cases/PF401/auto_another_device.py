# options: target-torch=2.7 device-idiom=auto
import torch
from torch import nn


def train():
    model = nn.Linear(2, 1).cuda()  # want: PF401
    return model(torch.ones(1, 2).cuda())  # want: PF401


def check():
    return nn.Linear(2, 1).to("cpu")(torch.ones(1, 2))


print(train(), check())
