# An item of a data set of the file, and of a TensorDataset, is on the CPU.
import torch
from torch import nn
from torch.utils.data import Dataset, TensorDataset


class Squares(Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, index):
        return torch.full((3,), float(index)), index


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(3, 2).to(device)
x, y = Squares()[0]
print(net(x).shape, y)  # want: PF302
pairs = TensorDataset(torch.ones(4, 3), torch.zeros(4))
row, goal = pairs[1]
print(net(row).shape, goal)  # want: PF302
