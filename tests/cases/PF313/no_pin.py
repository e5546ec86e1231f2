# The batches are on a GPU, and nothing pins them, or it is not known.
import sys

import torch
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(torch.ones(8, 3).cuda())
for (x,) in DataLoader(data, batch_size=4):
    print(x.sum())
for (x,) in DataLoader(data, batch_size=4, pin_memory=False):
    print(x.sum())
for (x,) in DataLoader(data, batch_size=4, pin_memory=len(sys.argv) > 1):
    print(x.sum())
