# Methods that Lightning calls before it places the module, and a class with its own `device`.
import pytorch_lightning as pl
import torch
from torch import nn


class Early(pl.LightningModule):
    def setup(self, stage):
        self.weight = torch.ones(2).cuda()  # want: PF401 report

    def configure_model(self):
        self.net = nn.Linear(2, 2).cuda()  # want: PF401 report


class Named(pl.LightningModule):
    device = "first"

    def training_step(self, batch, index):
        return (batch + torch.ones(2).cuda()).sum()  # want: PF401 report
