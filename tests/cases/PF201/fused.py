# options: target-torch=2.0
import torch
import torch.nn as nn


def build(device):
    model = nn.Linear(6, 2)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.1, fused=True)  # want: PF201
    model.to(device)
    return model, optimizer
# before: clean: since torch 2.5 they look at the parameters in the first step
# run: import drive
# run: drive.step(build(drive.device)[1])
