"""One caller that is seen is not all callers: where nothing at hand says where things lie, the device of the script is taken on trust."""
import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def fed(net):
    x = torch.ones(1, 3)
    return net(x).sum()  # want: PF302 unsafe


def compared(criterion, net):
    target = torch.zeros(1, 3)
    return criterion(net(torch.ones(1, 3).to(device)), target)  # want: PF302 unsafe


def scaled(scale):
    x = torch.ones(3)  # want: PF302 unsafe
    return (x * scale).sum()


class Task:
    def loss(self, scale):
        x = torch.ones(3)  # want: PF302 unsafe
        return (x * scale).sum()


def main(path):
    net = nn.Linear(3, 3).to(device)
    scale = torch.ones(3).to(device)
    print(fed(net), compared(nn.MSELoss(), net), scaled(scale), Task().loss(scale))
    other = torch.load(path, map_location="cpu")
    print(fed(other), compared(other, other), scaled(other), Task().loss(other))
    return map(scaled, path)


if __name__ == "__main__":
    main("saved.pt")
