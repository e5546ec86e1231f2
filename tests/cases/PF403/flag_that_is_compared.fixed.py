"""A flag of the command line that is compared with what says yes is asked as a device asks it."""
import argparse

import torch
import torch.nn as nn

parser = argparse.ArgumentParser()
parser.add_argument("--cuda", action="store_true")
parser.add_argument("--local", default=False, action="store_true")
args = parser.parse_args()
device = torch.device("cuda" if args.cuda else "cpu")
net = nn.Linear(3, 2)
x = torch.randn(4, 3)
# want: PF403
net.to(device)
# want: PF403
x = x.to(device)
scale = torch.ones(2, device=device)  # want: PF403
x = x.to(device)
for _ in range(2):
    out = net(x)
    # want: PF403
    out = out * torch.tensor([1.0, 2.0], dtype=torch.float32, device=device)
print(out * scale)

# arguments: --cuda
# machines: 1,2
