# Validation after each epoch; the best model is saved, and loaded at the end.
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset, random_split


def evaluate(model, loader, device):
    model.eval()
    correct = 0
    with torch.no_grad():
        for x, y in loader:
            x, y = x.to(device), y.to(device)
            correct += (model(x).argmax(dim=1) == y).sum().item()
    return correct / len(loader.dataset)


def main():
    torch.manual_seed(5)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    data = TensorDataset(torch.randn(120, 6), torch.randint(0, 2, (120,)))
    train_set, valid_set = random_split(data, [96, 24])
    train_loader = DataLoader(train_set, batch_size=24, shuffle=True)
    valid_loader = DataLoader(valid_set, batch_size=24)
    model = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 2))
    model.to(device)
    if torch.cuda.device_count() > 1:
        print("Let's use", torch.cuda.device_count(), "GPUs!")
        model = nn.DataParallel(model)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    criterion = nn.CrossEntropyLoss()
    best = -1.0
    for epoch in range(3):
        model.train()
        for x, y in train_loader:
            x, y = x.to(device), y.to(device)
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
        accuracy = evaluate(model, valid_loader, device)
        print(f"epoch {epoch}: {accuracy:.3f}")
        if accuracy > best:
            best = accuracy
            torch.save(model.state_dict(), "best.pt")
    model.load_state_dict(torch.load("best.pt"))
    print("best", evaluate(model, valid_loader, device))


if __name__ == "__main__":
    main()
