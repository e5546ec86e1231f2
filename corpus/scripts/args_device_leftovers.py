import argparse

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def get_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", default=2, type=int)
    parser.add_argument("--lr", default=0.02, type=float)
    args = parser.parse_args()
    args.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    return args


def train_one_epoch(args, model, loader, optimizer):
    for tokens, tags in loader:
        tokens = tokens.cuda()
        tags = tags.cuda()
        scores = model(tokens)
        loss = nn.functional.cross_entropy(scores.transpose(1, 2), tags)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.item()


def main():
    args = get_args()
    torch.manual_seed(0)
    model = nn.Sequential(nn.Embedding(40, 10), nn.Linear(10, 7)).to(args.device)
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    loader = DataLoader(TensorDataset(torch.randint(0, 40, (32, 5)), torch.randint(0, 7, (32, 5))), batch_size=8)
    for epoch in range(args.epochs):
        print("epoch", epoch, "loss", round(train_one_epoch(args, model, loader, optimizer), 5))


if __name__ == "__main__":
    main()
