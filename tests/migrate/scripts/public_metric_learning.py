# As metric learning is often written: three inputs, an embedding for each, a margin.
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset


class Triplets(Dataset):
    def __init__(self, count):
        self.anchor = torch.randn(count, 6)
        self.positive = self.anchor + 0.1
        self.negative = torch.randn(count, 6)

    def __len__(self):
        return len(self.anchor)

    def __getitem__(self, index):
        return self.anchor[index], self.positive[index], self.negative[index]


class Embedding(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(6, 8), nn.PReLU(), nn.Linear(8, 2))

    def forward(self, x):
        return self.net(x)


class TripletNet(nn.Module):
    def __init__(self, embedding):
        super().__init__()
        self.embedding = embedding

    def forward(self, a, p, n):
        return self.embedding(a), self.embedding(p), self.embedding(n)


def fit(train_loader, model, loss_fn, optimizer, scheduler, n_epochs, device, log_interval):
    for epoch in range(n_epochs):
        model.train()
        total_loss = 0
        for batch_idx, (anchor, positive, negative) in enumerate(train_loader):
            anchor, positive, negative = anchor.to(device), positive.to(device), negative.to(device)
            optimizer.zero_grad()
            a, p, n = model(anchor, positive, negative)
            loss = loss_fn(a, p, n)
            total_loss += loss.item()
            loss.backward()
            optimizer.step()
            if batch_idx % log_interval == 0:
                print(f"Train: [{batch_idx * len(anchor)}/{len(train_loader.dataset)}]\tLoss: {loss.item():.5f}")
        scheduler.step()
        print(f"Epoch: {epoch + 1}/{n_epochs}. Train set: Average loss: {total_loss / (batch_idx + 1):.4f}")


def main():
    torch.manual_seed(56)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    train_loader = DataLoader(Triplets(96), batch_size=16, shuffle=True)
    model = TripletNet(Embedding())
    model = nn.DataParallel(model).to(device)
    loss_fn = nn.TripletMarginLoss(margin=1.0)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 8, gamma=0.1)
    fit(train_loader, model, loss_fn, optimizer, scheduler, 2, device, 3)


if __name__ == "__main__":
    main()
