import torch
from torch.nn import DataParallel as Spread
from torch import nn


def build(name):
    return {"small": nn.Linear(6, 2), "wide": nn.Linear(6, 12)}[name]


torch.manual_seed(5)
device = "cuda" if torch.cuda.is_available() else "cpu"
net = nn.Sequential(nn.Linear(6, 6), nn.ReLU())
net = net.to(device)  # everything at once
spread = Spread(net)  # want: PF102
print(type(spread).__name__)
print(spread(torch.ones(2, 6).to(device)).mean().item())
