"""One of two wraps stays: the order of the other alone would be half a repair."""
import torch
from torch import nn


class Tagger:
    def __init__(self, layer, device, several):
        self.model = nn.Linear(3, 3)
        self.layer = layer
        if several:
            self.model = nn.DataParallel(self.model)  # want: PF102 unsafe
            if self.layer is not None:
                self.layer = nn.DataParallel(self.layer)  # want: PF102 report
        self.model.to(device)
        if self.layer is not None:
            self.layer.to(device)
