"""The wrap and the placement stand in one guard, in the wrong order."""
import argparse

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--multi-gpu", action="store_true")
    return parser.parse_args()


def main():
    args = parse_args()
    torch.manual_seed(1)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

    model = nn.Sequential(nn.Linear(5, 7), nn.ELU(), nn.Linear(7, 2))
    if args.multi_gpu:
        model = nn.DataParallel(model)
        model.to(device)
        print("replicas on", torch.cuda.device_count(), "cards")
    else:
        model.to(device)

    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    criterion = nn.CrossEntropyLoss()
    loader = DataLoader(TensorDataset(torch.randn(40, 5), torch.randint(0, 2, (40,))), batch_size=8)
    for epoch in range(args.epochs):
        for x, y in loader:
            x, y = x.to(device), y.to(device)
            loss = criterion(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}: {loss.item():.5f}")


if __name__ == "__main__":
    main()
