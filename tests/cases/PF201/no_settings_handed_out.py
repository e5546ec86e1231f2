import torch
import torch.nn as nn
from engine import init_distributed_mode


def main(args):
    model = nn.Linear(6, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr)  # want: PF201 report
    init_distributed_mode(args)
    model.to(args.device)
    return optimizer
