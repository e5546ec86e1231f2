"""Defaults that nothing uses, that are no devices, that the program replaces, or that it asks about."""
import argparse
from dataclasses import dataclass

import torch
from torch import nn


def always_given(model, device="cuda"):
    return model.to(device)


def name_of(model, device="cuda"):
    return f"{type(model).__name__} on {device}"


def replaced(model, device="cuda"):
    if not torch.cuda.is_available():
        device = "cpu"
    return model.to(device)


def asked(model, device="cuda"):
    if device == "cuda" and not torch.cuda.is_available():
        return model
    return model.to(device)


def to_cuda(model, device="cuda"):
    return model.to(device)


def spread(model, device="cuda"):
    return model.to(device)


@dataclass
class Config:
    device: str = "cuda"
    backend: str = "cuda"


class Runner:
    def __init__(self, model, device="cuda"):
        self.model = model
        self.device = device
        self.device = next(model.parameters()).device

    def run(self, x):
        return self.model(x.to(self.device))


parser = argparse.ArgumentParser()
parser.add_argument("--device", default="cuda")
parser.add_argument("--backend", default="cuda")
parser.add_argument("--place", default="cuda")
args = parser.parse_args([])
args.device = "cuda" if torch.cuda.is_available() else "cpu"
config = Config()
config.device = args.device
model = always_given(nn.Linear(2, 2), args.device)
place = torch.device(args.place if torch.cuda.is_available() else "cpu")
print(name_of(model), args.backend, config.backend, model.to(config.device).to(place))
print(replaced(asked(model)), Runner(model).run(torch.ones(1, 2)), spread(*[model, args.device]))
