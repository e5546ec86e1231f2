# rules: PF201, PF203
"""The state follows the module by other code: nothing fails, the order is a matter of style."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
saved = torch.optim.Adam(nn.Linear(4, 2).parameters()).state_dict()


def optimizer_to(optimizer, device):
    for state in optimizer.state.values():
        for key, value in state.items():
            if torch.is_tensor(value):
                state[key] = value.to(device)


def resumed():
    net = nn.Linear(4, 2)
    net.to(device)
    optimizer = torch.optim.Adam(net.parameters())  # want: PF201
    optimizer.load_state_dict(saved)
    for state in optimizer.state.values():
        for key, value in state.items():
            if torch.is_tensor(value):
                state[key] = value.to(device)
    net(torch.ones(3, 4, device=device)).sum().backward()
    optimizer.step()


def by_a_function():
    net = nn.Linear(4, 2)
    net.to(device)
    optimizer = torch.optim.Adagrad(net.parameters())  # want: PF201
    optimizer_to(optimizer, device)
    net(torch.ones(3, 4, device=device)).sum().backward()
    optimizer.step()


resumed()
by_a_function()
