# run: torch.manual_seed(0)
# run: for module in (moving_average(), by_agent(), by_function(), by_state(), lines()):
# run:     print("%.4f" % sum(p.sum().item() for p in module.parameters()))
"""A copy that follows another module's parameters is left on the CPU: it was made before the other one was placed."""
import copy

import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)

    def forward(self, x):
        return self.fc(x)


def moving_average():
    net = Net()
    average = copy.deepcopy(net).to(device)  # want: PF112
    net.to(device)
    with torch.no_grad():
        for p, q in zip(net.parameters(), average.parameters()):
            q.mul_(0.9).add_(p, alpha=0.1)
    return average


def follow(net, target, tau):
    for source, param in zip(net.parameters(), target.parameters()):
        param.data.copy_(tau * source.data + (1.0 - tau) * param.data)


class Agent:
    def __init__(self):
        self.critic = Net()
        self.target = Net().to(device)  # want: PF112
        self.target.load_state_dict(self.critic.state_dict())
        self.critic = self.critic.to(device)

    def update(self):
        for (_, p), (_, q) in zip(self.critic.named_parameters(), self.target.named_parameters()):
            new = 0.9 * q.data + 0.1 * p.data
            q.data.copy_(new)


def by_agent():
    agent = Agent()
    print(torch.ones(2).to(device).sum().item())
    agent.update()
    return agent.target


def by_function():
    net = Net().to(device)
    target = Net().to(device)  # want: PF112
    follow(net, target, 0.1)
    return target


def by_state():
    net = Net()
    shadow = copy.deepcopy(net).to(device)  # want: PF112
    net.to(device)
    state = net.state_dict()
    for name, value in shadow.state_dict().items():
        if value.dtype.is_floating_point:
            value *= 0.9
            value += 0.1 * state[name].detach()
    return shadow


def lines():
    net = nn.Linear(3, 1)
    line = nn.Linear(3, 1).to(device)  # want: PF112
    net.to(device)
    params = dict(net.named_parameters())
    for name, p in line.named_parameters():
        p.data = torch.lerp(p.data, params[name].data, 0.5)
    return line
