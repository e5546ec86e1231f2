"""A row of a table is no number; one item of a row, or of a vector, is, and goes with tensors of any device."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(4, 4).to(device)
out = net(torch.ones(2, 4, device=device))

table = torch.zeros(3, 4, device=device)  # want: PF302
print((table[0] + out).sum().item())

steps, envs = 3, 4
rewards = torch.ones((steps, envs), device=device)  # want: PF302
for t in range(steps):
    out = out + rewards[t]
print(out.sum().item())

grown = torch.ones((steps,) + (envs, 1), device=device)  # want: PF302
print((grown[0][:, 0] * out).sum().item())

scaled = torch.full((steps, envs), 2.0, device=device)  # want: PF302
scaled /= 2
print((scaled[1] * out).sum().item())

vector = torch.ones(3)
print((vector[0] * out).sum().item())
numbers = torch.ones(3, 4)
print((numbers[0, 1] * out).sum().item())
print((numbers[0][1] * out).sum().item())
size = (3,)
unknown = torch.ones(size)
print((unknown[0] * out).sum().item())
product = torch.ones(3, 3) @ torch.ones(3)
print((product[0] * out).sum().item())
