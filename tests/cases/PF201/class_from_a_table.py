# options: target-torch=2.6
import argparse
from functools import partial

import torch
import torch.nn as nn
from torch import optim

OPTIMIZERS = {"adagrad": optim.Adagrad, "sgd": optim.SGD}
args = argparse.Namespace(optimizer="adagrad", lr=0.1)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

table = nn.Linear(4, 2)
from_table = OPTIMIZERS[args.optimizer](table.parameters(), lr=args.lr)  # want: PF201
table.to(device)

package = nn.Linear(4, 2)
from_package = optim.__dict__["Adagrad"](package.parameters(), lr=args.lr)  # want: PF201
package.to(device)

either = nn.Linear(4, 2)
kind = optim.Adagrad if args.optimizer == "adagrad" else optim.SGD
from_either = kind(either.parameters(), lr=args.lr)  # want: PF201
either.to(device)

bound = nn.Linear(4, 2)
make = partial(optim.Adagrad, lr=args.lr)
from_partial = make(bound.parameters())  # want: PF201
bound.to(device)

for net, optimizer in [(table, from_table), (package, from_package), (either, from_either), (bound, from_partial)]:
    optimizer.zero_grad()
    net(torch.randn(3, 4, device=device)).sum().backward()
    optimizer.step()
