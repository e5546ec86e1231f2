"""Where no device is in scope, a tensor goes to the device of another argument of the function that has a name."""
# run: print(Runner(torch.cuda.is_available()).distances(torch.ones(2, 3).to(device_of())).shape)
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
        out = self.net(x)
        return torch.cdist(out, self.centers.to(out.device))  # want: PF302

    def norms(self, x):
        out = self.net(x)
        return torch.cdist(out, out), torch.zeros(2)
