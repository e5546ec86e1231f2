"""Settings of a class or a dictionary that the file uses as a device: the value becomes a choice, as it does for a name."""
import torch
from torch import nn


class Config:
    device = "cuda"  # want: PF402
    epochs = 2


class Trainer:
    where = 'cuda:0'  # want: PF402

    def __init__(self):
        self.model = nn.Linear(2, 1).to(self.where)


settings = {"lr": 0.1, "device": "cuda"}  # want: PF402
objects = {"device": torch.device("cuda")}  # want: PF402
model = nn.Linear(2, 1).to(Config.device)
model = model.to(settings["device"])
print(Trainer().model, model(torch.ones(1, 2, device=objects["device"])))
