# The number of workers has a name, or is an attribute.
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

WORKERS = 2


class Images(Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, index):
        return torch.ones(3).cuda()


class Trainer:
    def __init__(self):
        self.model = nn.Linear(3, 2).cuda()
        self.workers = 4

    def train(self):
        model = nn.Linear(3, 2).cuda()
        for x in DataLoader(Images(), batch_size=4, num_workers=self.workers):  # want: PF312 report
            model(x)


model = nn.Linear(3, 2).cuda()
for x in DataLoader(Images(), batch_size=4, num_workers=WORKERS):  # want: PF312 report
    model(x)
