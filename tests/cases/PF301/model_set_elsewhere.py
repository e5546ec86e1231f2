import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Trainer:
    def __init__(self):
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.net = nn.Linear(4, 2).to(self.device)
        self.loader = DataLoader(TensorDataset(torch.zeros(8, 4), torch.zeros(8, 2)), batch_size=4)

    def export(self, net):
        self.net = net

    def score(self):
        for x, y in self.loader:
            print((self.net(x) - y).abs().sum())


if __name__ == "__main__":
    print("nothing is scored here")
