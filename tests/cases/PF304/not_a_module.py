import torch
from torch.utils.data import Dataset


class Pairs(Dataset):
    """What a data set makes belongs on the CPU."""

    def __init__(self, x: torch.Tensor):
        self.x = x

    def __len__(self):
        return self.x.size(0)

    def __getitem__(self, i):
        return self.x[i] + torch.randn(self.x.size(1))


def collate(batch: torch.Tensor):
    return batch + torch.zeros(batch.size(0), 1)
