"""The loop looks unplaced; the step function it calls places the batch."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def to_device(batch, device):
    if torch.is_tensor(batch):
        return batch.to(device)
    if isinstance(batch, dict):
        return {k: to_device(v, device) for k, v in batch.items()}
    return type(batch)(to_device(v, device) for v in batch)


def training_step(model, criterion, batch):
    x, y = to_device(batch, device)
    return criterion(model(x), y)


def loss_of(model, criterion, inputs, targets):
    inputs = inputs.to(device)
    targets = targets.to(device)
    return criterion(model(inputs), targets)


def main():
    torch.manual_seed(12)
    train_loader = DataLoader(TensorDataset(torch.randn(40, 6), torch.randn(40, 1)), batch_size=10)
    model = nn.Sequential(nn.Linear(6, 9), nn.ReLU(), nn.Linear(9, 1)).to(device)
    criterion = nn.SmoothL1Loss()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for epoch in range(2):
        for batch in train_loader:
            optimizer.zero_grad()
            loss = training_step(model, criterion, batch)
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            total = sum(loss_of(model, criterion, x, y).item() for x, y in train_loader)
        for inputs, targets in train_loader:
            total += loss_of(model, criterion, inputs, targets).item()
        print(epoch, round(loss.item(), 5), round(total, 5))


if __name__ == "__main__":
    main()
