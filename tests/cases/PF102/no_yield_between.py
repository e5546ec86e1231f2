import torch
import torch.nn as nn


def fixture(device):
    model = nn.Linear(6, 2)
    model = nn.DataParallel(model)  # want: PF102 report
    yield model
    model.to(device)
    yield model
