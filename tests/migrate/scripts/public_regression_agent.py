# As a small experiment with a class is often written: a configuration, a trainer with methods, a file of the weights.
import os

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Solver:
    def __init__(self, config):
        self.config = config
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.build_data()
        self.build_model()

    def build_data(self):
        x = torch.randn(96, 5)
        y = x.pow(2).sum(dim=1, keepdim=True)
        self.train_loader = DataLoader(TensorDataset(x, y), batch_size=self.config["batch_size"], shuffle=True)

    def build_model(self):
        self.net = nn.Sequential(nn.Linear(5, 10), nn.LeakyReLU(), nn.Linear(10, 1))
        self.net.to(self.device)
        if torch.cuda.device_count() > 1:
            self.net = nn.DataParallel(self.net)
        self.criterion = nn.MSELoss()
        self.optimizer = torch.optim.Adam(self.net.parameters(), self.config["lr"])

    def save(self, epoch):
        if not os.path.exists("weights"):
            os.makedirs("weights")
        torch.save(self.net.state_dict(), os.path.join("weights", f"net-{epoch}.pt"))

    def train(self):
        for epoch in range(self.config["epochs"]):
            self.net.train()
            for i, (x, y) in enumerate(self.train_loader):
                x = x.to(self.device)
                y = y.to(self.device)
                loss = self.criterion(self.net(x), y)
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
                if (i + 1) % 2 == 0:
                    print(f"Epoch {epoch} step {i + 1} loss {loss.item():.4f}")
            self.save(epoch)


def main():
    torch.manual_seed(58)
    Solver({"batch_size": 16, "lr": 0.01, "epochs": 2}).train()


if __name__ == "__main__":
    main()
