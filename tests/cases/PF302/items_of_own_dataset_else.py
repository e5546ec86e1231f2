# Items that the data set places, that are moved, or that come from tensors on the device.
import torch
from torch import nn
from torch.utils.data import Dataset, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Placed(Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, index):
        return torch.full((3,), float(index)).to(device), index


class Plain(Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, index):
        return torch.full((3,), float(index)), index


net = nn.Linear(3, 2).to(device)
x, y = Placed()[0]
print(net(x).shape, y)
print(net(Plain()[0][0].to(device)).shape)
pairs = TensorDataset(torch.ones(4, 3, device=device), torch.zeros(4))
row, goal = pairs[1]
print(net(row).shape, goal)
