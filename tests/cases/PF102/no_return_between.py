import torch
import torch.nn as nn


def make(args, device):
    model = nn.Linear(6, 2)
    model = nn.DataParallel(model)  # want: PF102 report
    if args.keep_on_host:
        return model
    model.to(device)
    return model
