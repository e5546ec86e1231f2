import torch
import torch.nn as nn


def main(checkpoint, device):
    model = nn.Linear(6, 2)
    optimizer = torch.optim.Adam(model.parameters())
    model.to(device)
    optimizer.load_state_dict(checkpoint["optimizer"])
    return optimizer
