import torch
import torch.nn as nn


def main(parallel, device):
    model = nn.Linear(6, 2)
    if parallel:
        model = nn.DataParallel(model)  # want: PF102 report
    if isinstance(model, nn.DataParallel):
        model.module.to(device)
    else:
        model.to(device)
    return model
