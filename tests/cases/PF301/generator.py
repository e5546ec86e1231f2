# rules: PF301, PF302, PF303
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, TensorDataset

torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
x_all, y_all = torch.randn(24, 4), torch.randint(0, 3, (24,))


def batches(loader):
    for x, y in loader:
        yield x.to(device), y.to(device)


class Prefetcher:
    def __init__(self, loader):
        self.loader = iter(loader)
        self.preload()

    def preload(self):
        try:
            self.next_x, self.next_y = next(self.loader)
        except StopIteration:
            self.next_x = None
            return
        self.next_x = self.next_x.to(device, non_blocking=True)
        self.next_y = self.next_y.to(device, non_blocking=True)

    def next(self):
        x, y = self.next_x, self.next_y
        self.preload()
        return x, y


loader = DataLoader(TensorDataset(x_all, y_all), batch_size=6)
model = nn.Linear(4, 3).to(device)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x, y in batches(loader):
    loss = criterion(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(round(loss.item(), 4))
prefetcher = Prefetcher(loader)
x, y = prefetcher.next()
print(criterion(model(x), y).item() > 0)
