"""Loops that are no loader loops: indices, slices of placed data, layers, a list of numbers."""
import torch
from torch import nn

torch.manual_seed(105)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

X = torch.randn(60, 5).to(device)
Y = (X.sum(1, keepdim=True) > 0).float()
batch_size = 20

model = nn.Sequential(nn.Linear(5, 8), nn.Tanh(), nn.Linear(8, 1)).to(device)
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)

for epoch in range(2):
    permutation = torch.randperm(X.size(0))
    for i in range(0, X.size(0), batch_size):
        indices = permutation[i:i + batch_size]
        xb, yb = X[indices], Y[indices]
        loss = criterion(model(xb), yb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("epoch", epoch, round(loss.item(), 5))

for layer in model:
    h = layer(X) if layer is model[0] else layer(h)
print("by hand", round(criterion(h, Y).item(), 5))

for name, p in model.named_parameters():
    print(name, tuple(p.shape))

for lr in (0.1, 0.01):
    for group in optimizer.param_groups:
        group["lr"] = lr
