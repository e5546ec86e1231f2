# rules: PF301, PF302
import torch
from torch import nn
from torch.utils.data import ConcatDataset, DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
x_all, y_all = torch.randn(24, 4), torch.randint(0, 3, (24,))
x_there, y_there = x_all.to(device), y_all.to(device)
model = nn.Linear(4, 3).to(device)
criterion = nn.CrossEntropyLoss()

later = TensorDataset(x_all, y_all)
later.tensors = tuple(part.to(device) for part in later.tensors)
for x, y in DataLoader(later, batch_size=6):
    criterion(model(x), y)
for x, y in DataLoader(list(zip(x_there, y_there)), batch_size=6):
    criterion(model(x), y)
pairs = [(x, y) for x, y in zip(x_there, y_there)]
for x, y in DataLoader(pairs, batch_size=6):
    criterion(model(x), y)
there = TensorDataset(x_there, y_there)
for x, y in DataLoader(ConcatDataset([there, there]), batch_size=6):
    criterion(model(x), y)
