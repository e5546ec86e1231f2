"""Small data: the whole set lives on the device, so does every batch."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset, TensorDataset

torch.manual_seed(107)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Resident(Dataset):
    def __init__(self, x, y):
        self.x = x.to(device)
        self.y = y.to(device)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


x = torch.randn(40, 6)
y = torch.randint(0, 4, (40,))
x, y = x.to(device), y.to(device)
train_loader = DataLoader(TensorDataset(x, y), batch_size=10)
test_loader = DataLoader(Resident(torch.randn(20, 6), torch.randint(0, 4, (20,))), batch_size=10)

model = nn.Linear(6, 4).to(device)
opt = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(2):
    for xb, yb in train_loader:
        loss = nn.functional.cross_entropy(model(xb), yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
    with torch.no_grad():
        test_loss = 0.0
        for xb, yb in test_loader:
            test_loss += nn.functional.cross_entropy(model(xb), yb).item()
    print(epoch, round(loss.item(), 5), round(test_loss, 5))
