"""Both halves of a state, and the input, are moved by one fix; so is the definition of the device that they need."""
import torch
from torch import nn


def main():
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    h = torch.zeros(1, 2, 3, device=device)  # want: PF302
    c = torch.zeros(1, 2, 3, device=device)  # want: PF302
    lstm = nn.LSTM(3, 3).to(device)
    x = torch.zeros(5, 2, 3, device=device)  # want: PF302
    out, _ = lstm(x, (h, c))
    print(out.shape)
    there = torch.zeros(1, 2, 3, device=device)
    other = torch.zeros(1, 2, 3, device=device)  # want: PF302
    out, _ = lstm(x, (there, other))
    print(out.shape)


main()
