# rules: PF301, PF302, PF303
import torch
from torch import nn

from settings import CONFIG, where


def run(dev_of):
    net = nn.Linear(4, 3).to("cuda")
    x = torch.randn(2, 4).to(CONFIG["place"])
    y = torch.randn(2, 4).to(where())
    z = torch.zeros(2, 4, **CONFIG["factory"])
    return net(x), net(y), net(dev_of(z))


run(lambda t: t.cuda())
