# rules: PF301, PF302, PF303
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Linear(4, 3).to(device)
out = model(torch.ones(6, 4, device=device))
index = torch.tensor([0, 2, 4])
order = torch.randperm(6)
print(out[index].shape, out[order].shape)
out = out.detach()
out[:2] = torch.zeros(2, 3)
out[index] = torch.ones(3, 3, device=device)
print(out.sum().item())
