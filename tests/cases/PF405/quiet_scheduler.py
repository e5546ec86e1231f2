"""The states of schedulers hold no tensors."""
import torch


def load(path, schedulers):
    states = torch.load(path)
    for name, state in states.items():
        stepped = schedulers[name]
        stepped.load_state_dict(state)


def load_one(path, scheduler):
    scheduler.load_state_dict(torch.load(path))
