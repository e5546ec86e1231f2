# The prefix is taken from the keys.
import torch
from torch import nn


def save():
    model = nn.DataParallel(nn.Linear(3, 2))
    torch.save(model.state_dict(), "net.pt")


def load():
    state = torch.load("net.pt")
    nn.Linear(3, 2).load_state_dict({key.replace("module.", ""): value for key, value in state.items()})
    nn.Linear(3, 2).load_state_dict(torch.load("net.pt"))
