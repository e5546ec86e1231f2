# rules: PF301, PF302, PF303
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, TensorDataset

torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
x_all, y_all = torch.randn(24, 4), torch.randint(0, 3, (24,))

model = nn.Linear(4, 3).to(device)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x in [1, 2, 3]:
    print(x)
for start in range(0, 24, 6):
    x = x_all[start:start + 6].to(device)
    y = y_all[start:start + 6].to(device)
    loss = criterion(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(round(loss.item(), 4))
weights = torch.tensor([0.1, 0.9])
total = 0
for w in weights:
    total = total + w * loss
for i in range(2):
    total = total + weights[i] * loss + torch.tensor(0.5) * loss
best = torch.tensor(1e9)
if loss < best:
    best = loss
confusion = torch.zeros(3, 3)
for x, y in DataLoader(TensorDataset(x_all, y_all), batch_size=6):
    pred = model(x.to(device)).argmax(1)
    for t, p in zip(y.view(-1), pred.view(-1)):
        confusion[t.long(), p.long()] += 1
print(total.item() > 0, confusion.sum().item())
