import torch
import torch.nn as nn


def main(device):
    net = nn.Linear(6, 2)
    parallel = nn.DataParallel(net)  # want: PF102 report
    placed = parallel.to(device)
    return placed
