"""A data set that moves what it reads, in a call that is not followed."""
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
from unseen import transform

device = torch.device("cuda")


class Cells(Dataset):
    def __init__(self, data):
        self.data = data
        self.transform = transform

    def __len__(self):
        return len(self.data)

    def __getitem__(self, index):
        return self.transform(torch.from_numpy(self.data[index]).to(device))


class Pairs(Cells):
    def __getitem__(self, index):
        return self.transform(torch.from_numpy(self.data[index]).to(device)), self.transform(self.data[index])


model = nn.Linear(3, 3).to(device)
loss_function = nn.MSELoss()
for batch in DataLoader(Cells(np.ones((4, 3), dtype="float32")), batch_size=2):
    noisy = batch
    print(loss_function(model(noisy), noisy).item())
for x, y in DataLoader(Pairs(np.ones((4, 3), dtype="float32")), batch_size=2):
    print(loss_function(model(x), y).item())
