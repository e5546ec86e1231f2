# options: unsafe
"""A move at the start of a chain under a guard: it stands in front, the rest of the chain stays."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def load(net):
    net = net.to(device)
    if torch.cuda.is_available():  # want: PF403 unsafe
        net = net.half()
    return net


model = nn.Linear(2, 1)
model = model.to(device)
if torch.cuda.is_available():  # want: PF403 unsafe
    model = model.requires_grad_(False)
    print("on a GPU")
print(model.weight.shape, load(nn.Linear(2, 1)).weight.shape)
