# An index is made on the device of an argument, which the caller moves: the table that it reads has to be there.
import torch
from torch.utils.data import DataLoader

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
table = torch.linspace(0.1, 0.9, 10)  # want: PF302


def noised(x):
    steps = torch.randint(0, 10, (x.size(0),), device=x.device)
    return table[steps].view(-1, 1) * x


for x in DataLoader(torch.ones(4, 3), batch_size=2):
    print(noised(x.to(device)).shape)
