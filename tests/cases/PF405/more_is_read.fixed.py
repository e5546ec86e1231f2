# options: unsafe
# not run: it reads files that it does not make
import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

net = nn.Linear(4, 2).to(device)
checkpoint = torch.load("last.pt", map_location="cpu")  # want: PF405 unsafe
net.load_state_dict(checkpoint["net"])
best = checkpoint["best"]


def restore(model, path):
    model.load_state_dict(torch.load(path, map_location=device).state_dict())  # want: PF405 unsafe


def assigned(path):
    other = nn.Linear(4, 2)
    other.load_state_dict(torch.load(path, map_location=device), assign=True)  # want: PF405 unsafe
    return other.to(device)


def merged(path):
    other = nn.Linear(4, 2).to(device)
    state = torch.load(path, map_location="cpu")  # want: PF405 unsafe
    state = {k: v + 1 for k, v in state.items()}
    other.load_state_dict(state)
    return other


class Trainer:
    def __init__(self):
        self.net = nn.Linear(4, 2).to(device)
        self.history = []

    def attribute(self, path):
        state = torch.load(path, map_location="cpu")  # want: PF405 unsafe
        self.net.load_state_dict(state["net"])
        self.mean = state["mean"]

    def list_of_the_object(self, path):
        state = torch.load(path, map_location="cpu")  # want: PF405 unsafe
        self.net.load_state_dict(state["net"])
        self.history.append(state["mean"])


def dict_of_the_caller(path, given):
    other = nn.Linear(4, 2).to(device)
    state = torch.load(path, map_location="cpu")  # want: PF405 unsafe
    other.load_state_dict(state["net"])
    given["mean"] = state["mean"]


def in_a_lambda(path):
    other = nn.Linear(4, 2).to(device)
    state = torch.load(path, map_location="cpu")  # want: PF405 unsafe
    other.load_state_dict(state["net"])
    return lambda x: x - state["mean"]


def one_by_one(path, nets):
    states = torch.load(path, map_location="cpu")  # want: PF405 unsafe
    for name, state in states.items():
        nets[name].load_state_dict(state)


class Own(nn.Module):
    def load_state_dict(self, state, strict=True):
        self.kept = state

    def restore(self, path):
        self.load_state_dict(torch.load(path, map_location=device))  # want: PF405 unsafe
