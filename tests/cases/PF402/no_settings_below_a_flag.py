"""A flag above the class is about the settings as well, if nothing is placed with both."""
import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--gpus", action="store_true")
opt = parser.parse_args([])
use_cuda = opt.gpus and torch.cuda.is_available()


class Config:
    device = "cuda:0"  # want: PF402 unsafe


model = nn.Linear(3, 3).to(Config.device)
extra = torch.ones(1, 3)
if use_cuda:
    extra = extra.cuda()
print(model(torch.ones(1, 3).to(Config.device)))
