# The trainer keeps its configuration: `cfg` of the module level is bound for the script alone.
# machines: 1,2
from dataclasses import dataclass

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class Config:
    device: str = "cuda"


class Trainer:
    def __init__(self, cfg, loader):
        self.cfg = cfg
        self.loader = loader
        self.model = nn.Linear(4, 2).to(cfg.device)

    def fit(self):
        for (x,) in self.loader:  # want: PF301
            self.model(x).sum().backward()


if __name__ == "__main__":
    cfg = Config()
    Trainer(cfg, DataLoader(TensorDataset(torch.ones(8, 4)), batch_size=4)).fit()
