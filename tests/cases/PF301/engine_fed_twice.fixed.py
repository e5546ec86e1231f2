"""What a method moves to its object's device is fed from a function that has no such object."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Engine:
    def __init__(self, model):
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.model = model.to(self.device)
        self.criterion = nn.MSELoss()

    def set_input(self, batch):
        self.x = batch[0].to(self.device)  # want: PF301
        self.y = batch[1].to(self.device)

    def loss(self):
        return self.criterion(self.model(self.x), self.y)

    def __call__(self, *batch):
        self.set_input(batch)
        return self.loss()


def main():
    loader = DataLoader(TensorDataset(torch.randn(8, 3), torch.randn(8, 2)), batch_size=4)
    engine = Engine(nn.Linear(3, 2))
    for batch in loader:
        engine.set_input(batch)
        engine.loss().backward()
    for x, y in loader:  # want: PF301 report
        engine(x, y).backward()


if __name__ == "__main__":
    main()
