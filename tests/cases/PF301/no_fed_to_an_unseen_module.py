# options: unsafe
"""The batches are moved, or go to a module that is on the CPU, or is placed on one path only."""
import torch
from torch.utils.data import DataLoader, TensorDataset
from elsewhere import build

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
loader = DataLoader(TensorDataset(torch.randn(4, 3), torch.randn(4, 1)), batch_size=2)


def moved():
    model = build().to(device)
    model.eval()
    for x, y in loader:
        print(model(x.to(device)))


def on_the_cpu():
    model = build()
    model.eval()
    for x, y in loader:
        print(model(x))


def sometimes(fast):
    model = build()
    model.eval()
    if fast:
        model.to(device)
    for x, y in loader:
        print(model(x))
