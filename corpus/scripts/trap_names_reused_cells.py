# %% [markdown]
# One notebook, three experiments, the same names in every cell.

# %%
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(126)
x = torch.randn(16, 4).to(device)
y = torch.randn(16, 1).to(device)

# %%
model = nn.Linear(4, 1)
model.to(device);
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(3):
    loss = nn.functional.mse_loss(model(x), y)
    optimizer.zero_grad(); loss.backward(); optimizer.step()
print("linear", round(loss.item(), 5))

# %%
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
model.to(device);
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for _ in range(3):
    loss = nn.functional.mse_loss(model(x), y)
    optimizer.zero_grad(); loss.backward(); optimizer.step()
print("deep", round(loss.item(), 5))

# %%
model = nn.DataParallel(nn.Linear(4, 1).to(device))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loss = nn.functional.mse_loss(model(x), y)
print("parallel", round(loss.item(), 5))