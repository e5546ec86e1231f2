"""Values that something else decides, or that are no devices of the file."""
from dataclasses import dataclass

import torch
from torch import nn


class Config:
    device = "cuda"


Config.device = "cuda" if torch.cuda.is_available() else "cpu"


class Base:
    device = "cuda"

    def __init__(self):
        self.device = "cpu"
        self.model = nn.Linear(2, 1).to(self.device)


@dataclass
class Options:
    device: str = "cuda"

    def __post_init__(self):
        self.device = self.device if torch.cuda.is_available() else "cpu"

    def place(self, model):
        return model.to(self.device)


class Backend:
    device = "cuda"  # nothing places on it here


settings = {"device": "cuda"}
settings["device"] = "cuda" if torch.cuda.is_available() else "cpu"
loaded = {"device": "cuda"}
loaded.update(device="cpu")
names = {"kind": "cuda"}
model = nn.Linear(2, 1).to(Config.device).to(settings["device"]).to(loaded["device"])
print(Base().model, Options().place(model), Backend.device, names["kind"])
