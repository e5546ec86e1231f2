# An item of enumerate or zip has one name at first, and is taken apart below.
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
loader = DataLoader(TensorDataset(torch.randn(8, 4), torch.randn(8, 2)), batch_size=4)
model = nn.Linear(4, 2).to(device)
for item in enumerate(loader):
    i, (x, y) = item  # want: PF301
    y = y.to(device)
    print(i, nn.functional.mse_loss(model(x), y).item())
for pair in zip(loader, range(2)):
    (x, y), i = pair  # want: PF301
    y = y.to(device)
    print(i, nn.functional.mse_loss(model(x), y).item())
