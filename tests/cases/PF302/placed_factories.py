# rules: PF301, PF302, PF303
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Linear(4, 3).to(device)
a = torch.randn(2, 4, device=device)
b = torch.randn(2, 4).to(device)
c = torch.zeros_like(a)
d = a.new_ones(2, 4)
e = torch.randn(a.shape, device=a.device)
print(model(a + b + c + d + e).shape)
mask = torch.rand(2, 4) > 0.5
mask = mask.to(device)
print(model(a.masked_fill(mask, 0.0)).shape)
