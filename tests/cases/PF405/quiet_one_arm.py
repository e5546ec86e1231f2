"""One arm of a condition is a number, and no module takes the other one."""
import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(4, 2).to(device)


def average(path, full):
    loaded = torch.load(path)
    mean = loaded["mean"] if full else 0
    return mean
