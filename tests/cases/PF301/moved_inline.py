# rules: PF301, PF302, PF303
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
loader = DataLoader(TensorDataset(torch.randn(24, 4), torch.randint(0, 3, (24,))), batch_size=6)
model = nn.Linear(4, 3).to(device)
criterion = nn.CrossEntropyLoss()
for x, y in loader:
    print(criterion(model(x.to(device)), y.to(device)).item() > 0)
for batch in loader:
    inputs, targets = (t.to(device) for t in batch)
    print(criterion(model(inputs), targets).item() > 0)
for i, batch in enumerate(loader):
    inputs = batch[0].to(device)
    targets = batch[1].to(device)
    print(criterion(model(inputs), targets).item() > 0)
it = iter(loader)
x, y = (t.to(device) for t in next(it))
print(model(x).shape, y.shape)
x_dev, y_dev = next(it)[0].to(device), next(it)[1].to(device)
print(criterion(model(x_dev), y_dev).item() > 0)
