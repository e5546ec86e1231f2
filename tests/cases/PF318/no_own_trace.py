"""Functions that are only named trace, of the program and of torch."""
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        return x + torch.zeros(2, device=x.device)


def trace(model, x):
    return model


model = Net()
traced = trace(model, torch.ones(2))
traced.to("cpu")
print(torch.trace(torch.ones(2, 2)).to("cpu"))
