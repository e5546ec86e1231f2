# The workers are the first to use CUDA, or the items are on the CPU.
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, TensorDataset


class Images(Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, index):
        return torch.ones(3).cuda()


for x in DataLoader(Images(), batch_size=4, num_workers=1):
    print(x.shape)
model = nn.Linear(3, 2).cuda()
for (x,) in DataLoader(TensorDataset(torch.ones(8, 3)), batch_size=4, num_workers=1):
    model(x.cuda())
