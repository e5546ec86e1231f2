import torch
import torch.nn as nn


def main(args):
    model = nn.Linear(6, 2)
    if args.cpu:
        optimizer = torch.optim.Adam(model.parameters())
        optimizer.load_state_dict(torch.load(args.path))
    else:
        model.cuda()
        optimizer = torch.optim.Adam(model.parameters())
    return optimizer
