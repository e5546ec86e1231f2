"""A flag that is not only the result of the test is no guard for a function that needs CUDA."""
# arguments: --cuda
import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--cuda", action="store_true")
args = parser.parse_args()
device = torch.device("cuda" if args.cuda and torch.cuda.is_available() else "cpu")
net = torch.nn.Linear(2, 2).to(device)
print(net(torch.ones(1, 2, device=device)).sum().item() * 0)
if torch.cuda.is_available():
    torch.cuda.synchronize()  # want: PF406
