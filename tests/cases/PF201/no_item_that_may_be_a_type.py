# not run: who calls it says which types
import torch
import torch.nn as nn


def train(types, ids):
    net = nn.Linear(4, 2)
    optimizer = torch.optim.Adam(net.parameters(), lr=0.1)
    net.to(types[0])
    net.to(ids["type"])
    return optimizer
