import torch
import torch.nn as nn


def setup(args, device):
    model = nn.Linear(6, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)  # want: PF201 report
    if args.dry_run:
        return model, optimizer
    model.to(device)
    return model, optimizer
