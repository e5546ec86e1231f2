"""The module is placed long before; a helper collects the parameters of its parts, and it is placed again further down."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def groups(model):
    params = []
    for m in model.modules():
        params += [{"params": m.parameters(recurse=False)}]
    return params


def train(checkpoint):
    model = nn.Linear(3, 2).to(device)
    optimizer = torch.optim.Adam(groups(model))
    optimizer.load_state_dict(checkpoint["optimizer"])
    model.to(device)
    return optimizer


def named(checkpoint):
    model = nn.Sequential(nn.Linear(3, 2))
    model = model.to(device)
    first = []
    for name, part in model.named_modules():
        if isinstance(part, nn.Linear):
            first.extend(part.parameters())
    optimizer = torch.optim.Adam(first)
    optimizer.load_state_dict(checkpoint["optimizer"])
    model = model.to(device)
    return optimizer


def fit(model, optimizer, steps):
    model.to(device)
    for _ in range(steps):
        model(torch.ones(2, 3).to(device)).sum().backward()
        optimizer.step()


net = nn.Linear(3, 2)
net.to(device)
adam = torch.optim.Adam(net.parameters())
for phase in range(2):
    fit(net, adam, 2)
state = {"optimizer": adam.state_dict()}
train(state), named(state)
