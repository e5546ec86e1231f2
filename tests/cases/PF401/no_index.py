"""A GPU that a variable names."""
import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--gpu", type=int, default=None)
args = parser.parse_args()
device_ids = [2, 3]

model = nn.Linear(4, 1).cuda(args.gpu)  # want: PF401 display
twin = nn.Linear(4, 1).cuda(device_ids[0])  # want: PF401 report
print(model(torch.ones(1, 4).cuda(args.gpu, non_blocking=True)), twin)  # want: PF401 display
