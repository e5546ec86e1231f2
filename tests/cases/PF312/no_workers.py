# Without workers, or with a number that is not known, the items may be on a GPU.
import sys

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Images(Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, index):
        return torch.ones(3).cuda()


model = nn.Linear(3, 2).cuda()
for x in DataLoader(Images(), batch_size=4):
    model(x)
for x in DataLoader(Images(), batch_size=4, num_workers=0):
    model(x)
for x in DataLoader(Images(), batch_size=4, num_workers=len(sys.argv) - 1):
    model(x)
