# DataLoader takes one of the two.
# run: print(len(loader(torch.utils.data.TensorDataset(torch.ones(8, 2)))))
# fails: mutually exclusive with shuffle
import torch
from torch.utils.data import DataLoader, SequentialSampler


def loader(data):
    sampler = SequentialSampler(data)
    return DataLoader(data, batch_size=4, sampler=sampler, shuffle=False)  # want: PF412
