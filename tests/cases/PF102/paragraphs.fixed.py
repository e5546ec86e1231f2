"""A placement that moves with its comment above a commented wrap stays a paragraph of its own."""
import torch
from torch import nn


def train(several):
    model = nn.Linear(4, 1)

    # set torch device
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = model.to(device)

    # check the use of several GPUs
    if several:
        model = nn.DataParallel(model)  # want: PF102

    # freeze modules, if specified
    x = torch.ones(2, 4).to(device)
    return model(x)


print(train(torch.cuda.device_count() > 1).shape)
