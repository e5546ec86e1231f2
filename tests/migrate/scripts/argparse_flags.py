# Options for the sizes, a flag for the GPU and a flag for several of them.
# arguments: --epochs 2 --batch-size 12 --multi-gpu
import argparse

import torch
import torch.nn as nn
import torch.optim as optim
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=3)
parser.add_argument("--batch-size", type=int, default=32)
parser.add_argument("--lr", type=float, default=0.05)
parser.add_argument("--no-cuda", action="store_true")
parser.add_argument("--multi-gpu", action="store_true")
parser.add_argument("--seed", type=int, default=4)


def build(args, device):
    model = nn.Sequential(nn.Linear(7, 10), nn.ReLU(), nn.Linear(10, 3)).to(device)
    if args.multi_gpu:
        model = nn.DataParallel(model)
    return model


def train_epoch(model, loader, criterion, optimizer, device):
    model.train()
    total, correct, seen = 0.0, 0, 0
    for inputs, labels in loader:
        inputs = inputs.to(device)
        labels = labels.to(device)
        optimizer.zero_grad()
        outputs = model(inputs)
        loss = criterion(outputs, labels)
        loss.backward()
        optimizer.step()
        total += loss.item() * inputs.size(0)
        correct += (outputs.argmax(1) == labels).sum().item()
        seen += inputs.size(0)
    return total / seen, correct / seen


def main():
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    device = torch.device("cuda" if torch.cuda.is_available() and not args.no_cuda else "cpu")
    data = TensorDataset(torch.randn(96, 7), torch.randint(0, 3, (96,)))
    loader = DataLoader(data, batch_size=args.batch_size, shuffle=True)
    model = build(args, device)
    criterion = nn.CrossEntropyLoss()
    optimizer = optim.SGD(model.parameters(), lr=args.lr)
    for epoch in range(args.epochs):
        loss, accuracy = train_epoch(model, loader, criterion, optimizer, device)
        print(f"epoch {epoch} loss {loss:.4f} accuracy {accuracy:.4f}")


if __name__ == "__main__":
    main()
