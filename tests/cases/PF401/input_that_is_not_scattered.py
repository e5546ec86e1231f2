"""A module without a wrapper takes its inputs from where it lies alone."""
import torch
import torch.nn as nn


def stage(device):
    model = nn.Linear(3, 3).cuda()  # want: PF401
    print(model(torch.ones(4, 3).to(device)).sum().item())


stage("cuda" if torch.cuda.is_available() else "cpu")
