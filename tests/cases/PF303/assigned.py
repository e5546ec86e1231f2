import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
x = torch.randn(2, 4)
x = x.to(device)
y = x.cpu()
z = (y + 1).to(device)
items = [t.to(device) for t in (x, z)]
store = {"x": x.to(device)}
print(len(items), store["x"].shape, x.to(device).float().mean().item() < 10)
assert x.to(device) is not None
