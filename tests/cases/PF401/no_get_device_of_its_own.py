"""What is asked where it is may be a module of a class with such a method, and no `.device`."""
import torch
from nets import Net


def run(net, loader):
    for x in loader:
        x = x.cuda(net.get_device())  # want: PF401 unsafe
        y = torch.ones(3).cuda(net.get_device(), non_blocking=True)  # want: PF401 unsafe
        print(net(x + y))


class Holder:
    def __init__(self, net):
        self.net = net

    def go(self, x):
        return self.net.predict(torch.ones(2).cuda(self.net.get_device()), x)  # want: PF401 unsafe

    def named(self, x):
        return self.net.predict(torch.ones(2).cuda(self.net.device), x)  # want: PF401 report


run(Net(), [])
