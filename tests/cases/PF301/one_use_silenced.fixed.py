"""A comment keeps one use of a batch as it is: the other use is not moved without it."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(3, 3).to(device)
loader = DataLoader(TensorDataset(torch.zeros(4, 3), torch.zeros(4, 3)), batch_size=2)
for x, y in loader:
    print(x.numpy())
    print(net(x))  # placefix: ignore[PF301]
    print(net(y.to(device)))  # want: PF301
    print(net(x))  # want: PF301 report
    print(y.numpy())
# after: mat1 is on cpu: a comment silences one use, and the other one is not moved without it
