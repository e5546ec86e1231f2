# options: unsafe
"""The move of the target is thrown away, that of the input beside it is kept: the data set may have placed both."""
import torch
from drive import device
from pairs import PAIRS


def train(model, criterion):
    for batch in torch.utils.data.DataLoader(PAIRS, batch_size=2):
        x, y = batch
        x = x.to(device)
        y.to(device)  # want: PF303 unsafe, warning
        criterion(model(x), y).backward()


train(torch.nn.Linear(3, 2).to(device), torch.nn.MSELoss())
