# The state of the model is loaded into the compiled one, or that of one wrapper into another.
import torch
from torch import nn


def save():
    model = nn.Linear(3, 2)
    torch.save(model.state_dict(), "net.pt")  # want: PF411 report


def resume(device):
    model = nn.Linear(3, 2).to(device)
    model = torch.compile(model)
    model.load_state_dict(torch.load("net.pt"))


def parallel():
    model = nn.DataParallel(nn.Linear(3, 2))
    torch.save(model.state_dict(), "parallel.pt")  # want: PF411 report


def compiled():
    model = torch.compile(nn.Linear(3, 2))
    model.load_state_dict(torch.load("parallel.pt"))
