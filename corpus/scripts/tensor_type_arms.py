"""The types are chosen in an if statement, by a flag of the script."""
import argparse

import torch
import torch.nn as nn

parser = argparse.ArgumentParser()
parser.add_argument("--no-cuda", action="store_true")
args = parser.parse_args()
use_cuda = not args.no_cuda and torch.cuda.is_available()


def main():
    if use_cuda:
        dtype = torch.cuda.FloatTensor
        itype = torch.cuda.LongTensor
    else:
        dtype = torch.FloatTensor
        itype = torch.LongTensor

    torch.manual_seed(1)
    net = nn.Linear(4, 2)
    if use_cuda:
        net = net.cuda()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    data = torch.randn(6, 4, dtype=torch.float64)
    kinds = torch.tensor([0, 1, 0, 1, 1, 0], dtype=torch.int32)
    for step in range(3):
        loss = nn.functional.cross_entropy(net(data.type(dtype)), kinds.type(itype))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(step, round(loss.item(), 5))


if __name__ == "__main__":
    main()
