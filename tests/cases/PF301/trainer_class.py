import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Trainer:
    def __init__(self, model, train_loader, val_loader, lr=0.1):
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.model = model.to(self.device)
        self.train_loader = train_loader
        self.val_loader = val_loader
        self.criterion = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=lr)

    def train_epoch(self):
        self.model.train()
        total = 0.0
        for inputs, labels in self.train_loader:  # want: PF301
            self.optimizer.zero_grad()
            outputs = self.model(inputs)
            loss = self.criterion(outputs, labels)
            loss.backward()
            self.optimizer.step()
            total += loss.item() * inputs.size(0)
        return total / len(self.train_loader.dataset)

    @torch.no_grad()
    def evaluate(self):
        self.model.eval()
        correct = 0
        for inputs, labels in self.val_loader:  # want: PF301
            preds = self.model(inputs).argmax(1)
            correct += (preds == labels).sum().item()
        return correct / len(self.val_loader.dataset)

    def fit(self, epochs):
        for epoch in range(epochs):
            print(epoch, round(self.train_epoch(), 4), self.evaluate())


def main():
    torch.manual_seed(0)
    x = torch.randn(60, 4)
    y = (x.sum(1) > 0).long()
    train_loader = DataLoader(TensorDataset(x[:40], y[:40]), batch_size=10)
    val_loader = DataLoader(TensorDataset(x[40:], y[40:]), batch_size=10)
    trainer = Trainer(nn.Linear(4, 2), train_loader, val_loader)
    trainer.fit(2)


if __name__ == "__main__":
    main()
