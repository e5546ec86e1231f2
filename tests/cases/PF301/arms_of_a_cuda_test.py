# rules: PF301, PF302
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

use_cuda = torch.cuda.is_available()
device = torch.device("cuda" if use_cuda else "cpu")
data = TensorDataset(torch.randn(24, 4), torch.randint(0, 3, (24,)))
loader = DataLoader(data, batch_size=6)
model = nn.Linear(4, 3).to(device)
criterion = nn.CrossEntropyLoss()
for x, y in loader:  # without CUDA the model lies where the batch does
    if use_cuda:
        loss = criterion(model(x.cuda()), y.cuda())
    else:
        loss = criterion(model(x), y)
    loss.backward()
for x, y in loader:
    if not torch.cuda.is_available():
        model(x)
    else:
        model(x.to(device))
for x, y in loader:
    if device.type == "cpu":
        model(x)
        continue
    model(x.to(device))
for x, y in loader:
    scores = model(x.cuda()) if use_cuda and x.dim() == 2 else model(x.to(device))
    scores = model(x.cuda()) if use_cuda else model(x)
for x, y in loader:
    if torch.cuda.is_available():
        model(x.cuda())
        continue
    model(x)
