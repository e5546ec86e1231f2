import torch
import torch.nn as nn


def main(args, device):
    model = nn.Sequential(nn.Linear(6, 6), nn.Linear(6, 2))
    optimizer = torch.optim.Adam(model.parameters())  # want: PF203 report
    optimizer.load_state_dict(torch.load(args.path))
    model[1] = nn.Linear(6, 3)
    model.to(device)
    return optimizer
