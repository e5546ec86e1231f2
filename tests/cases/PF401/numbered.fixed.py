# options: unsafe
"""One GPU by its number, an option of type int, for all that the file places."""
import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--gpu-id", "-g", type=int, default=0)
parser.add_argument("--epochs", type=int, default=1)
args = parser.parse_args()
device = torch.device(f"cuda:{args.gpu_id}" if torch.cuda.is_available() else "cpu")

net = nn.Linear(4, 2).to(device)  # want: PF401 unsafe
loss_of = nn.CrossEntropyLoss().to(device)  # want: PF401 unsafe
opt = torch.optim.SGD(net.parameters(), lr=0.1)


def step(x, y):
    x, y = x.to(device), y.to(device, non_blocking=True)  # want: PF401 unsafe  # want: PF401 unsafe
    loss = loss_of(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.item()


for _ in range(args.epochs):
    print(step(torch.ones(3, 4), torch.tensor([0, 1, 1])))
