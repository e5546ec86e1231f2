# __getitem__ places the items, in forks of a process that has placed the model.
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Images(Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, index):
        return torch.ones(3).cuda()


model = nn.Linear(3, 2).cuda()
for x in DataLoader(Images(), batch_size=4, num_workers=2):  # want: PF312 report
    model(x)
