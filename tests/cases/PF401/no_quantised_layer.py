"""A module that moves its packed weights itself."""
import torch
from torch import nn


class Packed(nn.Module):
    def __init__(self):
        super().__init__()
        self.packed = torch.ones(2, dtype=torch.uint8)

    def cuda(self, device=None):
        super().cuda(device)
        self.packed = self.packed.cuda(device)  # want: PF401 note
        return self


layer = Packed()
layer.cuda()  # want: PF401 report
