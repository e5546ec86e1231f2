# The prefix of torch.compile is taken from the keys.
import torch
from torch import nn


def save():
    model = torch.compile(nn.Linear(3, 2))
    torch.save(model.state_dict(), "net.pt")


def load():
    state = torch.load("net.pt")
    state = {key.removeprefix("_orig_mod."): value for key, value in state.items()}
    nn.Linear(3, 2).load_state_dict(state)
    nn.Linear(3, 2).load_state_dict(torch.load("net.pt"))
