# The input is used on the host first (to make the targets), then by the placed network.
import math

import torch

torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

x = torch.linspace(-math.pi, math.pi, 120).unsqueeze(1)
noise = 0.05 * torch.randn(120, 1)
y = torch.sin(x) + noise

model = torch.nn.Sequential(
    torch.nn.Linear(1, 16),
    torch.nn.Tanh(),
    torch.nn.Linear(16, 1),
).to(device)
loss_fn = torch.nn.MSELoss()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)

for t in range(60):
    loss = loss_fn(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if t % 20 == 19:
        print(t, round(loss.item(), 5))
