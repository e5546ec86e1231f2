import torch
import torch.nn as nn


def main(checkpoint, device):
    model = nn.Linear(6, 2).to(device)
    optimizer = torch.optim.Adam(model.parameters())
    optimizer.load_state_dict(checkpoint["optimizer"])
    model.to(device)
    return optimizer
