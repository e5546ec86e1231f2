"""DataParallel takes its inputs from anywhere: a device that they go to is not shown to be the GPU."""
import torch
import torch.nn as nn


def stage(device):
    model = nn.Linear(3, 3).cuda()  # want: PF401 unsafe
    model = nn.DataParallel(model)
    print(model(torch.ones(4, 3).to(device)).sum().item())


stage("cpu")
