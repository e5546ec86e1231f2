"""A device of unknown value: what meets something that lies on it lay there, for it did not raise."""
import torch
from torch import nn


class Attack:
    def __init__(self, model, device):
        self.device = device
        self.model = model.to(self.device)

    def noise(self, x):
        delta = torch.rand(x.shape).to(self.device)  # want: PF401
        out = self.model(x + delta)
        return out

    def alone(self, shape):
        return torch.rand(shape).cuda()  # want: PF401 unsafe

    def given(self, x):
        return x + torch.rand(x.shape).cuda()  # want: PF401 unsafe


def penalty(net, loader, device):
    total = torch.zeros(3, device=device)  # want: PF401
    for x, y in loader:
        x = x.to(device)
        total += x.sum(0)
    return total


def weights(net, device):
    net = net.to(device)
    w = torch.ones(3, 1, device=device)  # want: PF401
    if w.sum() > 2:
        print(w)
    h = net(torch.ones(2, 3, device=device))
    return torch.cat([h, w.T])


def maybe(x, device, mix=False):
    x = x.to(device)
    w = torch.ones(3).cuda()  # want: PF401 unsafe
    if mix:
        return x * w
    return w


def copied(x, device):
    x = x.to(device)
    w = torch.ones(3).cuda()  # want: PF401 unsafe
    x.copy_(w)
    return x


def back(x, device):
    x = x.to(device)
    w = torch.ones(3).cuda()  # want: PF401 unsafe
    return x.cpu() + w.cpu()


def boxed(x, device):
    first = nn.Linear(1, 1).to(device)
    return nn.Sequential(first, nn.Linear(1, 1).cuda())  # want: PF401 unsafe


def either(x, device, here):
    if here:
        x = x.to(device)
    return x + torch.ones(3).cuda()  # want: PF401 unsafe


def early(x, device, done):
    x = x.to(device)
    w = torch.ones(3).cuda()  # want: PF401 unsafe
    if done:
        return w
    return x + w


class Held:
    def __init__(self, device):
        self.device = device
        self.table = torch.zeros(4, 4).to(self.device)
        self.free = torch.zeros(4, 4)

    def row(self):
        return self.table @ torch.ones(4, device=self.device)  # want: PF401

    def column(self):
        return self.free @ torch.ones(4, 1).cuda()  # want: PF401 unsafe
# after: unsafe
# run: from drive import device
# run: x, net = torch.ones(2, 3).to(device), nn.Linear(3, 3)
# run: attack = Attack(net, device)
# run: print(attack.noise(x).sum().item(), attack.alone((2, 3)).sum().item(), attack.given(x).sum().item())
# run: print(penalty(net, [(torch.ones(2, 3), 0)], device).sum().item())
# run: print(weights(nn.Linear(3, 3), device).sum().item())
# run: for function in (maybe, copied, back): print(function(x, device).sum().item())
# run: print(maybe(x, device, mix=True).sum().item(), early(x, device, True).sum().item(), early(x, device, False).sum().item())
# run: print(boxed(torch.ones(2, 1).to(device), device)(torch.ones(2, 1).to(device)).sum().item())
# run: print(either(x, device, True).sum().item())
# run: print(Held(device).row().sum().item(), Held(torch.device("cpu")).column().sum().item())
