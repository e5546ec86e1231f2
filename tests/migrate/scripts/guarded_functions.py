import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 4)

    def forward(self, x):
        return self.fc(x)


def train(model, device, loader, optimizer, epoch):
    model.train()
    running = 0.0
    for i, (x, y) in enumerate(loader):
        x, y = x.to(device), y.to(device)
        optimizer.zero_grad()
        out = model(x)
        loss = F.cross_entropy(out, y)
        loss.backward()
        optimizer.step()
        running += loss.item()
        if i % 10 == 0:
            print(f"epoch {epoch} [{i * len(x)}/{len(loader.dataset)}] loss {loss.item():.4f}")
    return running / len(loader)


def test(model, device, loader):
    model.eval()
    correct = 0
    with torch.no_grad():
        for x, y in loader:
            x, y = x.to(device), y.to(device)
            pred = model(x).argmax(dim=1)
            correct += (pred == y).sum().item()
    print("accuracy", correct / len(loader.dataset))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch-size", type=int, default=16)
    args = parser.parse_args()
    torch.manual_seed(0)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    data = TensorDataset(torch.randn(96, 8), torch.randint(0, 4, (96,)))
    train_loader = DataLoader(data, batch_size=args.batch_size, shuffle=True)
    test_loader = DataLoader(data, batch_size=64)
    model = Net()
    if torch.cuda.device_count() > 1:
        print("GPUs", torch.cuda.device_count())
        model = nn.DataParallel(model)
    model.to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(3):
        train(model, device, train_loader, optimizer, epoch)
        test(model, device, test_loader)
    torch.save(model.state_dict(), "model.pt")


if __name__ == "__main__":
    main()
