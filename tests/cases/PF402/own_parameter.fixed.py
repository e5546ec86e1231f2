"""A class of the file that takes a device; a callable that may want a string."""
import torch
from torch import nn
from zoo import load

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Wrap:
    def __init__(self, net, device):
        self.device = device
        self.net = net.to(self.device)


wrap = Wrap(nn.Linear(2, 1), device=device)  # want: PF402
net = load("resnet", device="cuda")  # want: PF402 unsafe
print(wrap.net, net)
# after: unsafe
