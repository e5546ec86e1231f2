import io

import numpy as np
import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(4)
net = nn.Linear(4, 2).to(device)

grid = np.zeros((3, 4), dtype=np.float32)
points = torch.from_numpy(grid)
for row in range(3):
    grid[row] = row
print(round(net(points).sum().item(), 4))  # want: PF302

flat = torch.ones(12)
square = flat.view(3, 4)
flat[0] = 5
print(round(net(square).sum().item(), 4))  # want: PF302

kept = torch.ones(3, 4)
file = io.BytesIO()
torch.save(kept, file)
print(round(net(kept).sum().item(), 4))  # want: PF302
file.seek(0)
print(torch.load(file).numpy().sum())

line = torch.linspace(0, 1, 12)
whole = line.view(3, 4)  # want: PF302
print(round(net(whole).sum().item(), 4), line.max())
