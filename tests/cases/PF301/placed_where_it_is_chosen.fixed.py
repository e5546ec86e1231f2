# Each way of choosing the model places it.
# run: train("wide")
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
data = TensorDataset(torch.ones(4, 3), torch.zeros(4, dtype=torch.long))


def train(arch):
    if arch == "wide":
        model = nn.Linear(3, 8).to(device)
    else:
        model = nn.Sequential(nn.Linear(3, 2), nn.ReLU()).to(device)
    for x, y in DataLoader(data, batch_size=2):  # want: PF301
        x = x.to(device)
        y = y.to(device)
        print(nn.functional.cross_entropy(model(x), y).item() > 0)
