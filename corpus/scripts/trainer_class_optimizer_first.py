from dataclasses import dataclass

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class Config:
    lr: float = 5e-3
    epochs: int = 3
    batch_size: int = 16
    hidden: int = 20


class TabularNet(nn.Module):
    def __init__(self, features: int, hidden: int) -> None:
        super().__init__()
        self.net = nn.Sequential(nn.Linear(features, hidden), nn.GELU(), nn.Linear(hidden, 1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.net(x)


class Trainer:
    def __init__(self, config: Config, loader: DataLoader) -> None:
        self.config = config
        self.loader = loader
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.model = TabularNet(6, config.hidden)
        self.criterion = nn.L1Loss()
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=config.lr)
        self.scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(self.optimizer, T_max=config.epochs)
        self.model.to(self.device)

    def train_epoch(self) -> float:
        self.model.train()
        total = 0.0
        for x, y in self.loader:
            x = x.to(self.device)
            y = y.to(self.device)
            self.optimizer.zero_grad()
            loss = self.criterion(self.model(x), y)
            loss.backward()
            self.optimizer.step()
            total += loss.item()
        self.scheduler.step()
        return total / len(self.loader)

    def fit(self) -> None:
        for epoch in range(self.config.epochs):
            print(f"epoch={epoch} mae={self.train_epoch():.5f}")


if __name__ == "__main__":
    torch.manual_seed(7)
    config = Config()
    data = TensorDataset(torch.randn(64, 6), torch.randn(64, 1))
    Trainer(config, DataLoader(data, batch_size=config.batch_size)).fit()
