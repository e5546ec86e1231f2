"""The state of a module is that of a checkpoint, or another one."""
# not run: it reads files that it does not make
import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def start(path, full, given):
    net = nn.Linear(4, 2).to(device)
    loaded = torch.load(path, map_location="cpu")  # want: PF405
    state = loaded if full else given
    net.load_state_dict(state)
    return net


def by_statement(path, full):
    net = nn.Linear(4, 2).to(device)
    if full:
        state = torch.load(path, map_location="cpu")  # want: PF405
    else:
        state = nn.Linear(4, 2).state_dict()
    net.load_state_dict(state)
