import torch
import torch.nn as nn


def stages(device):
    model = nn.Linear(6, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)  # want: PF201 report
    yield optimizer
    model.to(device)
    yield model
