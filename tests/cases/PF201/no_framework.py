import torch
import torch.nn as nn
import pytorch_lightning as pl


class Module(pl.LightningModule):
    def __init__(self, device):
        super().__init__()
        self.net = nn.Linear(6, 2)
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1)
        self.net.to(device)
