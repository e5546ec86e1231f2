"""A returned call whose module stays on the CPU, or is given what lies on the device already."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def on_host():
    return nn.Linear(2, 1)(torch.ones(1, 2))


def placed():
    model = nn.Linear(2, 1).to(device)
    return model(torch.ones(1, 2, device=device))


print(on_host().shape, placed().shape)
