import time

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def train_epoch(model, loader, criterion, optimizer):
    model.train()
    total_loss = 0.0
    for x, y in loader:
        x, y = x.cuda(), y.cuda(non_blocking=True)
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        total_loss += loss.item() * x.size(0)
    return total_loss / len(loader.dataset)


@torch.no_grad()
def validate(model, loader):
    model.eval()
    correct = 0
    for x, y in loader:
        out = model(x.cuda(non_blocking=True))
        correct += (out.argmax(1).cpu() == y).sum().item()
    return correct / len(loader.dataset)


def main():
    torch.manual_seed(123)
    dataset = TensorDataset(torch.randn(60, 6), torch.randint(0, 3, (60,)))
    loader = DataLoader(dataset, batch_size=20)
    model = nn.Sequential(nn.Linear(6, 24), nn.ReLU(), nn.Dropout(0.0), nn.Linear(24, 3))
    model.cuda()
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    start = time.perf_counter()
    for epoch in range(3):
        loss = train_epoch(model, loader, criterion, optimizer)
        print("epoch %d: loss %.5f, accuracy %.3f" % (epoch, loss, validate(model, loader)))
    assert time.perf_counter() > start


if __name__ == "__main__":
    main()
