# The state is saved and loaded with the wrapper, or without it.
import torch
from torch import nn


def wrapped():
    model = nn.DataParallel(nn.Linear(3, 2))
    torch.save(model.state_dict(), "wrapped.pt")
    other = nn.DataParallel(nn.Linear(3, 2))
    other.load_state_dict(torch.load("wrapped.pt"))


def inside():
    model = nn.DataParallel(nn.Linear(3, 2))
    torch.save(model.module.state_dict(), "inside.pt")
    nn.Linear(3, 2).load_state_dict(torch.load("inside.pt"))


def sometimes(count):
    model = nn.Linear(3, 2)
    if count > 1:
        model = nn.DataParallel(model)
    torch.save(model.state_dict(), "sometimes.pt")
    nn.Linear(3, 2).load_state_dict(torch.load("sometimes.pt"))


def either(model, count):
    wrapper = nn.DataParallel(nn.Linear(3, 2))
    torch.save(wrapper.state_dict() if count > 1 else wrapper.module.state_dict(), "either.pt")
    nn.Linear(3, 2).load_state_dict(torch.load("either.pt"))
