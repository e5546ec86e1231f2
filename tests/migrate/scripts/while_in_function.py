# The options are a dataclass, and the steps are counted.
from dataclasses import dataclass

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class Config:
    batch_size: int = 16
    epochs: int = 2
    lr: float = 0.05


def main(config):
    torch.manual_seed(39)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loader = DataLoader(TensorDataset(torch.randn(96, 4), torch.randint(0, 2, (96,))), batch_size=config.batch_size, shuffle=True)
    model = nn.DataParallel(nn.Linear(4, 2).to(device))
    optimizer = torch.optim.SGD(model.parameters(), lr=config.lr)
    steps = 0
    for epoch in range(config.epochs):
        for x, y in loader:
            loss = nn.functional.cross_entropy(model(x.to(device)), y.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            steps += 1
        print(f"epoch {epoch}, {steps} steps")


if __name__ == "__main__":
    main(Config())
