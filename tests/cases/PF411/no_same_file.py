# Another path, another key, keys that need not fit, and a path that is not the same.
import torch
from torch import nn


def save(path):
    model = nn.DataParallel(nn.Linear(3, 2))
    torch.save({"wrapper": model.state_dict(), "model": model.module.state_dict()}, "all.pt")
    torch.save(model.state_dict(), "one.pt")
    torch.save(model.state_dict(), path)


def load(path):
    net = nn.Linear(3, 2)
    net.load_state_dict(torch.load("all.pt")["model"])
    net.load_state_dict(torch.load("two.pt"))
    net.load_state_dict(torch.load(path))
    net.load_state_dict(torch.load("one.pt"), strict=False)
