"""One arm of a condition is something else: a number, or a state of another origin; nothing is known of what is loaded."""
import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(4, 2).to(device)


def average(path, full):
    loaded = torch.load(path)
    mean = loaded["mean"] if full else 0
    return mean


def start(path, full, given):
    loaded = torch.load(path)
    state = loaded if full else given
    net.load_state_dict(state)
    return net
