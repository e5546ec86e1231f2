"""One half of the state has no repair: the other half is not moved without it."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
lstm = nn.LSTM(3, 3).to(device)


def main(x):
    h = torch.zeros(1, 2, 3)  # want: PF302 report
    c = torch.zeros(1, 2, 3)
    for row in x:
        c += lstm(row.to(device), (h, c))[0]  # want: PF302 report
    return c
