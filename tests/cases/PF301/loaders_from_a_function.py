import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split


def get_loaders(batch_size):
    data = TensorDataset(torch.randn(50, 3), torch.randn(50, 1))
    train, val = random_split(data, [40, 10])
    train_loader = DataLoader(train, batch_size=batch_size, shuffle=True)
    val_loader = DataLoader(val, batch_size=batch_size)
    return train_loader, val_loader


def evaluate(model, loader, criterion):
    model.eval()
    losses = []
    with torch.no_grad():
        for x, y in loader:  # want: PF301
            losses.append(criterion(model(x), y).item())
    return sum(losses) / len(losses)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch-size", type=int, default=10)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    args = parser.parse_args()
    torch.manual_seed(0)
    train_loader, val_loader = get_loaders(args.batch_size)
    model = nn.Linear(3, 1).to(args.device)
    criterion = nn.MSELoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(3):
        model.train()
        for step, batch in enumerate(train_loader):
            x, y = batch  # want: PF301
            loss = criterion(model(x), y)
            optimizer.zero_grad(); loss.backward(); optimizer.step()
        print(epoch, round(evaluate(model, val_loader, criterion), 4))


if __name__ == "__main__":
    main()
