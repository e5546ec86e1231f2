# options: unsafe
"""Optimizers of a class of the file: one leaves its state where it was loaded, one moves it in its step."""
import torch
import torch.nn as nn


class Momentum(torch.optim.Optimizer):
    def __init__(self, params, lr):
        super().__init__(params, {"lr": lr})

    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                kept = self.state[p].setdefault("kept", torch.zeros_like(p))
                kept.mul_(0.9).add_(p.grad)
                p.data.add_(kept, alpha=-group["lr"])


class Following(torch.optim.Optimizer):
    def __init__(self, params, lr):
        super().__init__(params, {"lr": lr})

    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                kept = self.state[p].get("kept", torch.zeros_like(p)).to(p.device)
                self.state[p]["kept"] = kept.mul_(0.9).add_(p.grad)
                p.data.add_(kept, alpha=-group["lr"])


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def train(net, optimizer):
    net(torch.ones(1, 3).to(device)).sum().backward()
    optimizer.step()
    return optimizer.state_dict()


def resume(state):
    net = nn.Linear(3, 2)
    net.to(device)
    optimizer = Momentum(net.parameters(), 0.1)  # want: PF203 unsafe, warning
    optimizer.load_state_dict(state)
    return train(net, optimizer)


def resume_following(state):
    net = nn.Linear(3, 2)
    optimizer = Following(net.parameters(), 0.1)
    optimizer.load_state_dict(state)
    net.to(device)
    return train(net, optimizer)


first = nn.Linear(3, 2).to(device)
state = train(first, Momentum(first.parameters(), 0.1))
print(len(resume(state)), len(resume_following(state)))
