# The parts of the training are attributes of an object, and the wrap is chosen by an option.
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Experiment:
    def __init__(self, parallel=True):
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.model = nn.Sequential(nn.Linear(4, 6), nn.SiLU(), nn.Linear(6, 2))
        self.model.to(self.device)
        if parallel and torch.cuda.device_count() > 1:
            self.model = nn.DataParallel(self.model)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=0.02)
        data = TensorDataset(torch.randn(96, 4), torch.randint(0, 2, (96,)))
        self.train_loader = DataLoader(data, batch_size=16, shuffle=True)

    def step(self, x, y):
        x, y = x.to(self.device), y.to(self.device)
        self.optimizer.zero_grad()
        loss = nn.functional.cross_entropy(self.model(x), y)
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def run(self, epochs):
        for epoch in range(epochs):
            total = 0.0
            for x, y in self.train_loader:
                total += self.step(x, y)
            print(f"epoch {epoch}: {total / len(self.train_loader):.4f}")

    def save(self, path):
        torch.save(self.model.state_dict(), path)


def main():
    torch.manual_seed(44)
    experiment = Experiment()
    experiment.run(2)
    experiment.save("experiment.pt")


if __name__ == "__main__":
    main()
