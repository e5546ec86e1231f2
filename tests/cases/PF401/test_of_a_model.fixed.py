"""A function with a name like a test's, in a script that evaluates."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def test_epoch(model, loader):
    for x, y in loader:
        print(model(x.to(device)).argmax(1) == y.to(device))  # want: PF401 # want: PF401


net = nn.Linear(2, 2).to(device)  # want: PF401
test_epoch(net, [(torch.ones(1, 2), torch.zeros(1))])
