import torch
import torch.nn as nn


def make_optimizer(model):
    for layer in model:
        nn.init.normal_(torch.empty(3))
    return torch.optim.SGD(model.parameters(), lr=0.1)


def make_both(model):
    net = nn.Linear(6, 6)
    return net, torch.optim.SGD([*model.parameters(), *net.parameters()], lr=0.1)


def pick():
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


model = nn.Sequential(nn.Linear(6, 2))
optimizer = make_optimizer(model)  # want: PF201 report
noise = torch.randn(4)
device = pick()
model.to(device)
print(noise, model(torch.ones(2, 6, device=device)))

other = nn.Linear(6, 2)
net, optimizer = make_both(other)  # want: PF201 report
noise = torch.randn(4)
device = pick()
net, other = net.to(device), other.to(device)
print(noise, other(net(torch.ones(2, 6, device=device))))
