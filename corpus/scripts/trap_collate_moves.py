"""Batches are placed by the collate function; the loop has nothing left to move."""
import torch
from torch import nn
from torch.utils.data import DataLoader

torch.manual_seed(101)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def collate(samples):
    x = torch.stack([s[0] for s in samples])
    y = torch.tensor([s[1] for s in samples])
    return x.to(device), y.to(device)


class Collator:
    """The same as an object."""

    def __init__(self, device):
        self.device = device

    def __call__(self, samples):
        x, y = torch.utils.data.default_collate(samples)
        return x.to(self.device), y.to(self.device)


samples = [(torch.randn(5), i % 3) for i in range(30)]
train_loader = DataLoader(samples, batch_size=10, collate_fn=collate)
test_loader = DataLoader(samples, batch_size=15, collate_fn=Collator(device))

model = nn.Linear(5, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()

for epoch in range(2):
    for x, y in train_loader:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    correct = 0
    for x, y in test_loader:
        correct += (model(x).argmax(1) == y).sum().item()
    print(epoch, round(loss.item(), 5), correct)
