"""--force_cpu: with one visible GPU the constructor of the wrapper would pull the model onto it."""
import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--force_cpu", action="store_true")
args = parser.parse_args()

torch.manual_seed(134)
if args.force_cpu or not torch.cuda.is_available():
    device = "cpu"
    print("using the host")
else:
    device = "cuda"

model = nn.Linear(5, 2)
model = nn.DataParallel(model)
model = model.to(device)
model.eval()

with torch.no_grad():
    net = model.module if device == "cpu" else model
    out = net(torch.ones(2, 5).to(device))
print(round(out.sum().item(), 5))
