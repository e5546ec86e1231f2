"""Where no device is in scope, and no other argument has a name, the tensor stays; the finding says so."""
import torch
import torch.nn as nn


def device_of():
    return "cuda" if torch.cuda.is_available() else "cpu"


class Runner:
    def __init__(self, use_gpu):
        self.net = nn.Linear(3, 3)
        self.centers = torch.zeros(4, 3)
        if use_gpu:
            self.net = self.net.cuda()

    def distances(self, x):
        return torch.cdist(self.net(x), self.centers)  # want: PF302 report
