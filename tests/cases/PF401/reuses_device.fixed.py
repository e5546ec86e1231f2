"""A device exists and already means what the calls meant."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Linear(4, 2).to(device)


def evaluate(x, y):
    x = x.to(device)  # want: PF401
    return (model(x).argmax(1) == y.to(device).long()).float().mean()  # want: PF401


weight = torch.ones(2, device=device)  # want: PF401
print(evaluate(torch.randn(5, 4), torch.zeros(5)), weight.sum())
