# options: unsafe
import torch
import torch.nn as nn


def main(n):
    x = torch.ones(n, 3).cuda()  # want: PF401
    net = nn.Linear(3, 3).cuda()  # want: PF401
    global device
    device = torch.device("cpu")
    return net(x)
# run: main(3)
