# not run: the simulator has no MPS
import numpy as np
import torch
from torch import nn

device = torch.device("mps" if torch.backends.mps.is_available() else "cpu")

x = torch.zeros(3, dtype=torch.float64, device=device)  # want: PF317 report
y = torch.ones(3, dtype=torch.double).to(device)  # want: PF317 report
z = torch.from_numpy(np.zeros((3, 2))).to(device)  # want: PF317 report
model = nn.Linear(2, 1).double().to(device)  # want: PF317 report
net = nn.Linear(2, 1)
net.double()
net.to(device)  # want: PF317 report
w = torch.ones(3).to(device)
v = w.double()  # want: PF317 report
u = w.to(torch.float64)  # want: PF317 report
t = torch.ones(3).to(device, torch.float64)  # want: PF317 report
print(x, y, z, model, v, u, t)
