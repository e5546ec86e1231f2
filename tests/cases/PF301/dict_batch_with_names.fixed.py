import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset
from sklearn.metrics import accuracy_score
import numpy as np


class MyDataset(Dataset):
    def __init__(self, xs, ys, names):
        self.xs, self.ys, self.names = xs, ys, names

    def __len__(self):
        return len(self.xs)

    def __getitem__(self, i):
        return {"features": torch.tensor(self.xs[i], dtype=torch.float), "label": torch.tensor(self.ys[i]), "name": self.names[i]}


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)

    def forward(self, features):
        return self.fc(features)


def train_one_epoch(model, loader, optimizer, loss_fn):
    model.train()
    running = 0.0
    device = next(model.parameters()).device
    for batch in loader:
        optimizer.zero_grad()
        logits = model(batch["features"].to(device))  # want: PF301
        loss = loss_fn(logits, batch["label"].to(device))  # want: PF301
        loss.backward()
        optimizer.step()
        running += loss.item()
    return running / len(loader)


def predict(model, loader, device):
    model.eval()
    names, preds, truth = [], [], []
    for batch in loader:
        logits = model(batch["features"].to(device))  # want: PF301
        preds.extend(logits.argmax(1).cpu().numpy())
        truth.extend(batch["label"].numpy())
        names.extend(batch["name"])
    return accuracy_score(truth, preds)


def run():
    rng = np.random.default_rng(0)
    data = MyDataset(rng.normal(size=(20, 4)), rng.integers(0, 2, 20), [str(i) for i in range(20)])
    loader = DataLoader(data, batch_size=5)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = Net().to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(2):
        train_one_epoch(model, loader, optimizer, nn.CrossEntropyLoss())
    print(predict(model, loader, device) >= 0)


run()
