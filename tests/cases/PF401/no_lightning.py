"""A LightningModule knows its device."""
import pytorch_lightning as pl
import torch
from torch import nn


class Lit(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(2, 1)

    def training_step(self, batch, index):
        return self.net(batch + torch.ones(2).cuda()).sum()  # want: PF401 report
