# rules: PF301,PF302
"""The batch and what it is computed with are moved by one fix."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Bilinear(3, 3, 3).to(device)
loader = DataLoader(TensorDataset(torch.zeros(4, 3)), batch_size=2)
offset = torch.ones(2, 3, device=device)  # want: PF302
for (x,) in loader:  # want: PF301
    x = x.to(device)
    print(net(x, offset))
