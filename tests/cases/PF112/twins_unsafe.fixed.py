# options: unsafe
# not run: the other package is not installed
"""Modules of a class that is not seen: another one of it is placed."""
import torch
from nets import Net, build

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Agent:
    def __init__(self, width):
        self.device = device
        self.actor = Net(width).to(device)
        self.critic = Net(width, heads=1).to(self.device)  # want: PF112 unsafe, warning

    def act(self, x):
        x = x.to(self.device)
        return self.actor(x), self.critic(x)


def distill(width, loader):
    student = build(width)
    teacher = build(width).to(device)  # want: PF112 unsafe, warning
    student.to(device)
    for x in loader:
        x = x.to(device)
        (student(x) - teacher(x)).sum().backward()
