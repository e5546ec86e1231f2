# Training stops when the validation loss has not fallen for some epochs.
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

PATIENCE = 2


def validate(model, loader, criterion, device):
    model.eval()
    total = 0.0
    with torch.no_grad():
        for x, y in loader:
            total += criterion(model(x.to(device)), y.to(device)).item()
    model.train()
    return total / len(loader)


def main():
    torch.manual_seed(25)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    train_loader = DataLoader(TensorDataset(torch.randn(64, 4), torch.randn(64, 1)), batch_size=16, shuffle=True)
    valid_loader = DataLoader(TensorDataset(torch.randn(32, 4), torch.randn(32, 1)), batch_size=16)
    model = nn.Sequential(nn.Linear(4, 8), nn.ELU(), nn.Linear(8, 1)).to(device)
    if torch.cuda.device_count() > 1:
        model = torch.nn.DataParallel(model)
    criterion = nn.MSELoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
    best, waited = float("inf"), 0
    for epoch in range(10):
        for x, y in train_loader:
            optimizer.zero_grad()
            loss = criterion(model(x.to(device)), y.to(device))
            loss.backward()
            optimizer.step()
        current = validate(model, valid_loader, criterion, device)
        print(f"epoch {epoch} validation {current:.4f}")
        if current < best:
            best, waited = current, 0
        else:
            waited += 1
            if waited >= PATIENCE:
                print("stopped")
                break


if __name__ == "__main__":
    main()
