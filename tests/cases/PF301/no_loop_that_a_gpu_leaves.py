"""A test for the CPU by the name of the device: the loop goes on only there."""
# run: train(torch.device("cuda" if torch.cuda.is_available() else "cpu")); once(torch.device("cpu"))
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.randn(12, 3), torch.randn(12, 1)), batch_size=4)


def train(device):
    model = nn.Linear(3, 1)
    model.to(device)
    for x, y in loader:
        if str(device) != "cpu":
            break
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        print(loss.item() > 0)


def once(device):
    model = nn.Linear(3, 1).to(device)
    for x, _ in loader:
        if device == torch.device("cpu"):
            print(model(x).shape)
