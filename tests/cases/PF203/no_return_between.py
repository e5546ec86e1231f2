import torch
import torch.nn as nn


def main(args, device):
    model = nn.Linear(6, 2)
    optimizer = torch.optim.Adam(model.parameters())  # want: PF203 report
    optimizer.load_state_dict(torch.load(args.path))
    if args.show:
        return print(optimizer)
    model.to(device)
    return optimizer
