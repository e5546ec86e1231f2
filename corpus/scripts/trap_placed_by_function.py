"""Placement lives in functions of this file: nothing is missing."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def place(*modules):
    for module in modules:
        module.to(device)


def make_network():
    network = nn.Sequential(nn.Linear(5, 5), nn.Tanh(), nn.Linear(5, 1))
    return network.to(device)


def wrap(network):
    network = network.to(device)
    if torch.cuda.device_count() > 1:
        network = nn.DataParallel(network)
    return network


def fit(network, x, y):
    optimizer = torch.optim.SGD(network.parameters(), lr=0.1)
    for _ in range(3):
        loss = nn.functional.mse_loss(network(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return round(loss.item(), 5)


def main():
    torch.manual_seed(136)
    x, y = torch.randn(8, 5).to(device), torch.randn(8, 1).to(device)

    first = nn.Linear(5, 1)
    second = nn.Linear(5, 1)
    place(first, second)
    first = nn.DataParallel(first)
    print("first", fit(first, x, y), "second", fit(second, x, y))

    made = nn.DataParallel(make_network())
    print("made", fit(made, x, y))
    print("wrapped", fit(wrap(nn.Linear(5, 1)), x, y))


if __name__ == "__main__":
    main()
