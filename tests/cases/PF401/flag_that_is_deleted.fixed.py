"""A flag that is deleted says nothing to what comes behind."""
import torch
import torch.nn as nn

use_cuda = torch.cuda.is_available()
net = nn.Linear(2, 2)
if use_cuda:
    net.cuda()
del use_cuda


def score():
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    return net(torch.ones(1, 2, device=device))  # want: PF401


if __name__ == "__main__":
    print(score())
