# options: unsafe
# A function that does not read the device which it gets makes something without parameters, and wraps nothing.
from torch import nn


class Loss(nn.Module):
    def forward(self, x, y):
        return (x - y).abs().mean()


def criterion(device="cuda"):
    loss = Loss()
    return loss


def placed(device="cuda"):
    net = nn.Linear(3, 2)
    net = nn.DataParallel(net.to(device)).eval()
    return net
