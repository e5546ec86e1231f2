# rules: all
# options: add-placement
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Points(Dataset):
    def __init__(self, n):
        self.x = torch.randn(n, 3)
        self.y = self.x.sum(1, keepdim=True)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return {"x": self.x[i], "y": self.y[i]}


class Trainer:
    def __init__(self, lr):
        self.model = nn.Linear(3, 1)  # want: PF501
        self.criterion = nn.MSELoss()
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=lr)
        self.loader = DataLoader(Points(20), batch_size=5)

    def fit(self, epochs):
        for epoch in range(epochs):
            for batch in self.loader:
                pred = self.model(batch["x"])
                loss = self.criterion(pred, batch["y"])
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
            print(epoch, loss.item())


if __name__ == "__main__":
    torch.manual_seed(3)
    Trainer(0.05).fit(2)
