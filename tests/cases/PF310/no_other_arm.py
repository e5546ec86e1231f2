"""The arm of an expression that runs where there is no CUDA."""
import torch
import torch.nn as nn

use_cuda = torch.cuda.is_available()
device = torch.device("cuda" if use_cuda else "cpu")
net = nn.Linear(3, 2).to(device)


def to_numpy(x):
    return x.cpu().data.numpy() if use_cuda else x.data.numpy()


def as_array(x):
    return x.detach().numpy() if not torch.cuda.is_available() else x.detach().cpu().numpy()


print(to_numpy(net(torch.ones(1, 3).to(device))).shape, as_array(net(torch.ones(1, 3).to(device))).shape)
