# The state is saved and loaded with torch.compile, or without it; or the model is compiled on some paths, or in place.
import torch
from torch import nn


def both():
    model = torch.compile(nn.Linear(3, 2).to("cpu"))
    torch.save(model.state_dict(), "both.pt")
    other = torch.compile(nn.Linear(3, 2)).to("cpu")
    other.load_state_dict(torch.load("both.pt"))


def original():
    model = nn.Linear(3, 2)
    compiled = torch.compile(model)
    compiled(torch.ones(2, 3))
    torch.save(model.state_dict(), "original.pt")
    torch.save(compiled._orig_mod.state_dict(), "inside.pt")
    nn.Linear(3, 2).load_state_dict(torch.load("original.pt"))
    nn.Linear(3, 2).load_state_dict(torch.load("inside.pt"))


def sometimes(options):
    model = nn.Linear(3, 2).to("cpu")
    if options.compile:
        model = torch.compile(model)
    torch.save(model.state_dict(), "sometimes.pt")
    nn.Linear(3, 2).load_state_dict(torch.load("sometimes.pt"))


def off(debug):
    model = torch.compile(nn.Linear(3, 2), disable=debug)
    torch.save(model.state_dict(), "off.pt")
    nn.Linear(3, 2).load_state_dict(torch.load("off.pt"))


def in_place():
    model = nn.Linear(3, 2)
    model.compile()
    torch.save(model.state_dict(), "in_place.pt")
    nn.Linear(3, 2).load_state_dict(torch.load("in_place.pt"))


def loop(count):
    model = nn.Linear(3, 2).to("cpu")
    for step in range(count):
        torch.save(model.state_dict(), "loop.pt")
        if step == 3:
            model = torch.compile(model)
    nn.Linear(3, 2).load_state_dict(torch.load("loop.pt"))
