"""The batch, which PF301 would move, stays on the CPU: the offset is not moved without it."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Bilinear(3, 3, 3).to(device)
loader = DataLoader(TensorDataset(torch.zeros(4, 3)), batch_size=2)
offset = torch.ones(2, 3)  # want: PF302 report
for (x,) in loader:
    print(net(x, offset))
