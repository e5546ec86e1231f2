"""The optimizer is built in __init__, the model placed in train(): two methods, no local proof."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Learner:
    def __init__(self, lr=0.1):
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.model = nn.Sequential(nn.Linear(5, 6), nn.ReLU(), nn.Linear(6, 1))
        self.optimizer = torch.optim.Adagrad(self.model.parameters(), lr=lr)

    def train(self, loader, epochs):
        self.model.to(self.device)
        self.model.train()
        for epoch in range(epochs):
            for x, y in loader:
                x, y = x.to(self.device), y.to(self.device)
                loss = nn.functional.mse_loss(self.model(x), y)
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
            print("epoch", epoch, "loss", round(loss.item(), 5))


if __name__ == "__main__":
    torch.manual_seed(130)
    Learner().train(DataLoader(TensorDataset(torch.randn(24, 5), torch.randn(24, 1)), batch_size=6), 2)
