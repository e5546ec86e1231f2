# A module that gets a module may return one: its move is none of a tensor.
# run: main()
import torch
from torch import nn


class Converter(nn.Module):
    def forward(self, net):
        setattr(self, "converted", net)
        return getattr(self, "converted")


def show(net, device):
    net.eval().to(device)
    print(net(torch.ones(2, 3).to(device)).shape)


def main():
    device = "cuda" if torch.cuda.is_available() else "cpu"
    converter = Converter()
    converted = converter(nn.Linear(3, 3))
    show(converted, device)
