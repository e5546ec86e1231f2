import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(5)
loader = DataLoader(TensorDataset(torch.randn(8, 4), torch.randint(0, 2, (8,))), batch_size=4)
model = nn.Linear(4, 2).to(device)
criterion = nn.CrossEntropyLoss()
scale = np.ones(4)
counts = torch.zeros(2)
seen = []

for x, y in loader:  # want: PF301
    seen.append(y)
    loss = criterion(model(x), y)  # want: PF301
    loss.backward()
print(np.bincount(torch.cat(seen).numpy()))

for x, y in loader:  # want: PF301
    for row in x:
        print(round(float(np.dot(row, scale)), 4))
    criterion(model(x), y).backward()  # want: PF301

for x, y in loader:  # want: PF301
    first, *rest = x
    print(len(rest), rest[0].numpy().shape)
    criterion(model(x), y).backward()  # want: PF301

for x, y in loader:  # want: PF301
    print(sum(map(lambda row: row.numpy().sum(), x)) > 100)
    criterion(model(x), y).backward()  # want: PF301

for x, y in loader:  # want: PF301
    counts[0] += (y == 0).sum()
    criterion(model(x), y).backward()  # want: PF301
print(counts.tolist())
