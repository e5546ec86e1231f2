# Only one way of choosing the model places it; a module that exists before is moved in one arm.
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
data = TensorDataset(torch.ones(4, 3), torch.zeros(4, dtype=torch.long))


def train(arch):
    if arch == "wide":
        model = nn.Linear(3, 8).to(device)
    else:
        model = nn.Sequential(nn.Linear(3, 2), nn.ReLU())
    for x, y in DataLoader(data, batch_size=2):
        print(nn.functional.cross_entropy(model(x), y).item() > 0)


def evaluate(model, fast):
    if fast:
        model = model.to(device)
    for x, y in DataLoader(data, batch_size=2):
        print(nn.functional.cross_entropy(model(x), y).item() > 0)


def tune(fast):
    model = nn.Linear(3, 2)
    if fast:
        model.to(device)
    for x, y in DataLoader(data, batch_size=2):
        print(nn.functional.cross_entropy(model(x), y).item() > 0)
