# not run: the other package is not installed
"""Twins that are placed elsewhere, made with other arguments, or that get tensors of the CPU."""
import torch
from nets import Net, build

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class PlacedLater:
    def __init__(self, width):
        self.actor = Net(width).to(device)
        self.critic = Net(width)

    def prepare(self):
        self.critic.to(device)

    def act(self, x):
        x = x.to(device)
        return self.actor(x), self.critic(x)


class OnCpu:
    def __init__(self, width):
        self.actor = Net(width).to(device)
        self.shadow = Net(width)

    def act(self, x):
        return self.actor(x.to(device)), self.shadow(x)


class OfOtherArguments:
    def __init__(self, config):
        self.net = build(config.net).to(device)
        self.loss = build(config.loss)

    def step(self, x, y):
        return self.loss(self.net(x.to(device)), y.to(device))


def copied(width, x):
    net = Net(width).to(device)
    other = Net(width)
    other = other.to(device)
    return net(x.to(device)), other(x.to(device))
