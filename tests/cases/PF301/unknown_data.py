# rules: PF301, PF302, PF303
import torch
from torch import nn

from mydata import build_loaders, prepare_batch
from myengine import step

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
train_loader, val_loader = build_loaders("data", device)
model = nn.Linear(4, 3).to(device)
criterion = nn.CrossEntropyLoss()
for x, y in train_loader:
    loss = criterion(model(x), y)
for batch in val_loader:
    x, y = prepare_batch(batch)
    loss = criterion(model(x), y)
for batch in val_loader:
    loss = step(model, batch)
