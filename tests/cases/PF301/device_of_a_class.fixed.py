"""The device stands in the body of a class of settings."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class CFG:
    device = "cuda" if torch.cuda.is_available() else "cpu"
    lr = 0.1


class Setup:
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def loader():
    return DataLoader(TensorDataset(torch.ones(4, 3), torch.ones(4, 2)), batch_size=2)


def one():
    net = nn.Linear(3, 2).to(CFG.device)
    for x, y in loader():  # want: PF301
        x = x.to(CFG.device)
        y = y.to(CFG.device)
        print(nn.functional.mse_loss(net(x), y).item())


def two():
    net = nn.Linear(3, 2)
    net.to(Setup.device)
    for x, y in loader():  # want: PF301
        x = x.to(Setup.device)
        y = y.to(Setup.device)
        print(nn.functional.mse_loss(net(x), y).item())


one()
two()
