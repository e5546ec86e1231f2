# not run: nothing may change
"""The device is one that a base class, a decorator or a call by all names asks for."""
from torch.utils.data import DataLoader

from runners import Runner, registered


class Mine(Runner):
    def reduce(self, loader, net, device):
        return [net(x).sum().item() for x in DataLoader(loader)]

    def kept(self, loader, net, device):
        for x in DataLoader(loader):
            net(x)


@registered
def reduced(loader, net, device):
    for x in DataLoader(loader):
        net(x)


def spread(loader, net, device):
    for x in DataLoader(loader):
        net(x, **{name: value for name, value in locals().items() if name == "device"})


def placed(net, device):
    return net.to(device)
