# An array that numpy reads stays, and one below a tensor that only some paths make is no part of a safe fix.
import numpy as np
import torch
import torch.nn as nn


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.mix = nn.Parameter(torch.ones(3, 3))

    def read_by_numpy(self, given):
        h = torch.zeros(2, 3)  # want: PF304 report
        scale = torch.from_numpy(given)  # want: PF304 report, warning
        print(np.mean(scale.numpy()))
        return torch.mm(h * scale, self.mix)

    def on_other_paths(self, given, first):
        if first:
            h = torch.zeros(2, 3)  # want: PF304 unsafe
        else:
            h = self.mix[:2]
        scale = torch.from_numpy(given)  # want: PF304 unsafe, warning
        return torch.mm(h * scale, self.mix)
