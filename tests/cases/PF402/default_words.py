"""The word for CUDA is the default of a parameter, an option or a field, and becomes a device."""
# run: assert place(nn.Linear(4, 2), torch.device("cpu")).weight.device.type == "cpu"
import argparse
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Config:
    lr: float = 0.1
    device: str = "cuda"  # want: PF402


class Trainer:
    def __init__(self, model, device="cuda"):  # want: PF402
        self.device = device
        self.model = model.to(self.device)

    def step(self, x):
        return self.model(x.to(self.device))


def place(model, where="cuda:0"):  # want: PF402
    return move(model, where)


def move(model, device):
    device = torch.device(device)
    return model.to(device)


parser = argparse.ArgumentParser()
parser.add_argument("--device", default='cuda', help="cpu or cuda")  # want: PF402
parser.add_argument("--spare-device", dest="spare", default="cuda")  # want: PF402
args = parser.parse_args([])
config = Config()
x = torch.ones(3, 4)
model = place(nn.Linear(4, 4))
print(model(x.to(args.device)).shape, Trainer(nn.Linear(4, 2)).step(x).shape)
spare = args.spare
print(x.to(config.device).sum().item(), torch.zeros(2, device=spare).sum().item())
