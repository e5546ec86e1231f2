import os
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class MLP(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(d_in, 32), nn.ReLU(), nn.Linear(32, d_out))

    def forward(self, x):
        return self.net(x)


class Trainer:
    def __init__(self, model, train_data, valid_data, batch_size=16, lr=0.05, ckpt_dir='ckpt'):
        self.device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')
        self.model = model.to(self.device)
        if torch.cuda.device_count() > 1:
            self.model = nn.DataParallel(self.model)
        self.train_loader = DataLoader(train_data, batch_size=batch_size, shuffle=True)
        self.valid_loader = DataLoader(valid_data, batch_size=batch_size)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=lr, momentum=0.9)
        self.criterion = nn.CrossEntropyLoss()
        self.ckpt_dir = ckpt_dir
        self.best = 0.0

    def fit(self, epochs):
        for epoch in range(epochs):
            train_loss, train_acc = self._train_epoch()
            valid_loss, valid_acc = self._valid_epoch()
            print(f'[{epoch}] train {train_loss:.4f}/{train_acc:.3f} valid {valid_loss:.4f}/{valid_acc:.3f}')
            if valid_acc > self.best:
                self.best = valid_acc
                self.save('best.pt')

    def _train_epoch(self):
        self.model.train()
        total, correct, n = 0.0, 0, 0
        for x, y in self.train_loader:
            x, y = x.to(self.device), y.to(self.device)
            logits = self.model(x)
            loss = self.criterion(logits, y)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            total += loss.item() * x.size(0)
            correct += (logits.argmax(1) == y).sum().item()
            n += x.size(0)
        return total / n, correct / n

    @torch.no_grad()
    def _valid_epoch(self):
        self.model.eval()
        total, correct, n = 0.0, 0, 0
        for x, y in self.valid_loader:
            x, y = x.to(self.device), y.to(self.device)
            logits = self.model(x)
            total += self.criterion(logits, y).item() * x.size(0)
            correct += (logits.argmax(1) == y).sum().item()
            n += x.size(0)
        return total / n, correct / n

    def save(self, name):
        os.makedirs(self.ckpt_dir, exist_ok=True)
        model = self.model.module if isinstance(self.model, nn.DataParallel) else self.model
        torch.save({'model': model.state_dict(), 'optimizer': self.optimizer.state_dict()}, os.path.join(self.ckpt_dir, name))


def main():
    torch.manual_seed(0)
    train = TensorDataset(torch.randn(96, 8), torch.randint(0, 4, (96,)))
    valid = TensorDataset(torch.randn(32, 8), torch.randint(0, 4, (32,)))
    trainer = Trainer(MLP(8, 4), train, valid)
    trainer.fit(3)


if __name__ == '__main__':
    main()
