"""The CPU, unless a question about devices says otherwise: that is a choice."""
import torch


def by_count(cuda=1):
    device = torch.device("cpu")
    if cuda and torch.cuda.device_count():
        torch.cuda.manual_seed(0)
        device = torch.device("cuda")
    return torch.ones(1).to(device)


def by_something_else(big=False):
    device = "cpu"
    if big:
        device = "cuda"
    return torch.ones(1).to(device)


print(by_count(), by_something_else())
