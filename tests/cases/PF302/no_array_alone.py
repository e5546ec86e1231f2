import numpy as np
import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(4, 2).to(device)
grid = np.zeros((3, 4), dtype=np.float32)
points = torch.from_numpy(grid)
grid[0] = 1
print(points.sum().item(), net(torch.from_numpy(grid).to(device)).shape)
