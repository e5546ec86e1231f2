import copy
import torch
import torch.nn as nn


def main(args, device):
    model = nn.Linear(6, 2)
    optimizer = torch.optim.Adam(model.parameters())  # want: PF201 report
    ema = copy.deepcopy(model)
    if args.resume:
        return model, ema, optimizer
    model.to(device)
    return model, ema, optimizer
