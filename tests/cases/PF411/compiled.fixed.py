# The state of the compiled model is loaded into the model itself.
# options: unsafe
# machines: 1
# run: train(); test(); wrapped(); inside()
# fails: Missing key(s) in state_dict
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)

    def forward(self, x):
        return self.fc(x)


def train():
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = torch.compile(Net().to(device), backend="eager")
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model(torch.ones(4, 3, device=device)).sum().backward()
    optimizer.step()
    torch.save({"model": model._orig_mod.state_dict(), "epoch": 1}, "net.pt")  # want: PF411 unsafe


def test():
    net = Net()
    net.load_state_dict(torch.load("net.pt", map_location="cpu")["model"])


def wrapped():
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = torch.compile(nn.DataParallel(Net().to(device)), backend="eager")
    torch.save(model._orig_mod.module.state_dict(), "wrapped.pt")  # want: PF411 unsafe
    inner = torch.compile(Net(), backend="eager")
    torch.save(inner.to(device)._orig_mod.state_dict(), "inner.pt")  # want: PF411 unsafe


def inside():
    net = Net()
    net.load_state_dict(torch.load("wrapped.pt", map_location="cpu"))
    net.load_state_dict(torch.load("inner.pt", map_location="cpu"))
