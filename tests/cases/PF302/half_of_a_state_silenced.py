"""A comment keeps one half of the state where it is: the other half is not moved without it."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
lstm = nn.LSTM(3, 3).to(device)


def states(x):
    h = torch.zeros(1, 2, 3)  # placefix: ignore[PF302]
    c = torch.zeros(1, 2, 3)  # want: PF302 report
    return lstm(x.to(device), (h, c))
