import numpy as np
import torch
from torch import nn

device = torch.device("mps" if torch.backends.mps.is_available() else "cpu")
x = torch.zeros(3, dtype=torch.float32, device=device)
y = torch.ones(3, dtype=torch.float64).float().to(device)
z = torch.from_numpy(np.zeros((3, 2))).to(device, torch.float32)
w = torch.from_numpy(np.zeros((3, 2), dtype=np.float32)).to(device)
v = torch.from_numpy(np.zeros(3)).to(device=device, dtype=torch.float32)
model = nn.Linear(2, 1).double().float().to(device)
values = np.random.rand(3)
u = torch.tensor(values, dtype=torch.float32, device=device)
t = torch.tensor([1, 2], device=device)
print(x, y, z, w, v, model, u, t)
