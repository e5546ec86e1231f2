import torch
import torch.nn as nn


def main(args):
    model = nn.Linear(6, 2)
    if args.on_host:
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    else:
        model.cuda()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    return model, optimizer
