import argparse
import torch
import torch.nn as nn

parser = argparse.ArgumentParser()
parser.add_argument("--force_cpu", action="store_true")
args = parser.parse_args([])
device = torch.device("cpu" if args.force_cpu else "cuda")
net = nn.Linear(6, 2)
model = nn.DataParallel(net)  # want: PF102 unsafe
model.to(device)
print(net(torch.randn(1, 6).to(device)))
