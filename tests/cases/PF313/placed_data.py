# The data set is made of placed tensors, and the loader pins them.
import torch
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(torch.ones(8, 3).cuda(), torch.ones(8))
for x, y in DataLoader(data, batch_size=4, pin_memory=True):  # want: PF313 report
    print(x.sum())
