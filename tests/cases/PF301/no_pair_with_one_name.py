# The batch in an item of enumerate is moved: all at once, or where it is used; a counter stays a number.
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
loader = DataLoader(TensorDataset(torch.randn(8, 4), torch.randn(8, 2)), batch_size=4)
model = nn.Linear(4, 2).to(device)
for item in enumerate(loader):
    i, batch = item
    x, y = (part.to(device) for part in batch)
    print(i, nn.functional.mse_loss(model(x), y).item())
for pair in zip(range(2), loader):
    print(pair[0] + 1, model(pair[1][0].to(device)).sum().item())
