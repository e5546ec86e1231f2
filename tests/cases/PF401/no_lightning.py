# rules: PF401, PF402, PF403
"""The constructor runs before Lightning places the module; a function, a static method and another class have no such device; one GPU is named."""
import pytorch_lightning as pl
import torch
from torch import nn


class Lit(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.weight = torch.ones(2).cuda()  # want: PF401 report

    @staticmethod
    def noise(n):
        return torch.ones(n).cuda()  # want: PF401 report

    def named(self, x):
        return x.to("cuda:1")  # want: PF402 report

    def guarded(self, x):
        if torch.cuda.is_available():  # want: PF403 report
            x = x.cuda()
        return x


class Plain(nn.Module):
    def forward(self, x):
        return x + torch.ones(2).cuda()  # want: PF401 report


def function(x):
    return x.cuda()  # want: PF401 report
