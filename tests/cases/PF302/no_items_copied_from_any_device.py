# Numbers, slices and 0-dim indices copy from any device, as do values of no dimension.
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(3, 2).to(device)
x = torch.ones(4, 3).to(device)
mask = torch.tensor([True, False, True, True])
rows = torch.zeros(4, 2)
rows[0] = net(x)[0]
rows[1:] = net(x)[1:]
rows[:, 0] = net(x)[:, 0]
for i in torch.arange(2):
    rows[i] = net(x)[0]
rows[mask] = net(x).sum()
rows[mask] = torch.zeros(3, 2)
placed = torch.zeros(4, device=device)
placed[mask] = torch.tensor(3.0)
placed[mask] = 1.0
placed[mask] = torch.zeros(1)
placed[mask] = torch.tensor([2.0])
print(rows.sum(), placed.sum())
