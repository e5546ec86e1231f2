"""A tensor on a device that meets the copy of another one on the CPU is copied as well."""
# after: unsafe
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(3, 3).to(device)


def share(x, y):
    out = net(x.to(device))
    y = y.to(device)
    hits = out.argmax(1).cpu() == y.argmax(1)  # want: PF302 unsafe, warning
    return hits, torch.cat([out.detach().cpu(), y])  # want: PF302 unsafe, warning


class Model:
    def __init__(self, device):
        self.net = nn.Linear(3, 3).to(device)
        self.device = device

    def results(self, x):
        x = x.to(self.device)
        return {"out": self.net(x).detach().cpu(), "x": x}

    def distance(self, x):
        found = self.results(x)
        return found["out"] - found["x"]  # want: PF302 unsafe, warning


x = torch.ones(2, 3).to(device)
loss = nn.functional.mse_loss(net(x).cpu(), x)  # want: PF302 unsafe, warning
bank = torch.ones(2, 3).to(device)
kept = bank.cpu()
near = kept - x.cpu()  # want: PF302
print(Model(device).distance(torch.ones(2, 3)).shape, share(torch.ones(2, 3), torch.ones(2, 3))[0].shape, loss.item())
