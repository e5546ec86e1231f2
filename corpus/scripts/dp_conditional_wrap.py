"""Sentiment classifier over bags of embeddings; wraps the model when there is more than one GPU."""

import argparse

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class BagClassifier(nn.Module):
    def __init__(self, vocab, dim, classes):
        super().__init__()
        self.embed = nn.EmbeddingBag(vocab, dim)
        self.out = nn.Linear(dim, classes)

    def forward(self, tokens):
        return self.out(self.embed(tokens))


def run(args):
    torch.manual_seed(args.seed)
    tokens = torch.randint(0, 50, (48, 7))
    labels = torch.randint(0, 2, (48,))
    loader = DataLoader(TensorDataset(tokens, labels), batch_size=args.batch_size)

    model = BagClassifier(50, 16, 2)
    if torch.cuda.device_count() > 1:
        print("Let's use", torch.cuda.device_count(), "GPUs!")
        model = nn.DataParallel(model)

    device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
    model.to(device)

    optimizer = torch.optim.RMSprop(model.parameters(), lr=args.lr)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(args.epochs):
        for tokens, labels in loader:
            tokens = tokens.to(device)
            labels = labels.to(device)
            optimizer.zero_grad()
            loss = criterion(model(tokens), labels)
            loss.backward()
            optimizer.step()
        print("epoch %d  loss %.5f" % (epoch, loss.item()))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float, default=0.01)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--batch-size", type=int, default=12)
    parser.add_argument("--seed", type=int, default=3)
    run(parser.parse_args())
