# rules: PF301, PF302, PF303
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, TensorDataset

torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
x_all, y_all = torch.randn(24, 4), torch.randint(0, 3, (24,))
loader = DataLoader(TensorDataset(x_all, y_all), batch_size=6)
model = nn.Linear(4, 3).to(device)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for batch in loader:
    x, y = [t.to(device) for t in batch]
    loss = criterion(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(round(loss.item(), 4))
for batch in loader:
    batch = tuple(t.to(device) for t in batch)
    print(criterion(model(batch[0]), batch[1]).item() > 0)
for batch in loader:
    x, y = map(lambda t: t.to(device), batch)
    print(criterion(model(x), y).item() > 0)
