# machines: 1,2
# Whoever imports `evaluate` has no `cfg`: it is bound below the test for `__main__`.
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Config:
    device = "cuda"


def evaluate(model, loader):
    total = 0.0
    for (x,) in loader:  # want: PF301 report
        total += model(x).sum().item()
    return total


if __name__ == "__main__":
    cfg = Config()
    net = nn.Linear(4, 2).to(cfg.device)
    evaluate(net, DataLoader(TensorDataset(torch.ones(8, 4)), batch_size=4))
