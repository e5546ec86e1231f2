"""Train a classifier, keep the best weights, resume from the last checkpoint and evaluate."""

import os
import tempfile

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
folder = tempfile.mkdtemp()
last, best = os.path.join(folder, "last.pt"), os.path.join(folder, "best.pt")

inputs = torch.randn(64, 8)
loader = DataLoader(TensorDataset(inputs, (inputs.sum(1) > 0).long()), batch_size=16)


def build():
    return nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2)).to(device)


model = build()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
criterion = nn.CrossEntropyLoss()

for epoch in range(2):
    if os.path.exists(last):
        checkpoint = torch.load(last)
        model.load_state_dict(checkpoint["model"])
        optimizer.load_state_dict(checkpoint["optimizer"])
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, last)
    torch.save(model.state_dict(), best)

final = build()
final.load_state_dict(torch.load(best))
final.eval()
with torch.no_grad():
    print("loss", round(criterion(final(inputs.to(device)), (inputs.sum(1) > 0).long().to(device)).item(), 3))
