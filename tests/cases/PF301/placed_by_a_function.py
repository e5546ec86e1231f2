# Nothing in the file calls the training; another function of the file places the model.
# run: train(True)
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
data = TensorDataset(torch.ones(4, 3), torch.zeros(4, dtype=torch.long))


def build(wide):
    if wide:
        return nn.Linear(3, 8).to(device)
    return nn.Linear(3, 2).to(device)


def train(wide):
    model = build(wide)
    for x, y in DataLoader(data, batch_size=2):  # want: PF301
        print(nn.functional.cross_entropy(model(x), y).item() > 0)
