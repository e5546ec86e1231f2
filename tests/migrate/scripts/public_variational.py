# As an autoencoder with a sampled code is often written, with the mean as its code in place of the sample.
import torch
from torch import nn, optim
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset


class Coder(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(12, 8)
        self.fc21 = nn.Linear(8, 3)
        self.fc22 = nn.Linear(8, 3)
        self.fc3 = nn.Linear(3, 12)

    def encode(self, x):
        hidden = F.relu(self.fc1(x))
        return self.fc21(hidden), self.fc22(hidden)

    def forward(self, x):
        mu, logvar = self.encode(x)
        return torch.sigmoid(self.fc3(mu)), mu, logvar


def loss_function(restored, x, mu, logvar):
    fit = F.binary_cross_entropy(restored, x)
    divergence = -0.5 * torch.mean(1 + logvar - mu.pow(2) - logvar.exp())
    return fit + divergence


def main():
    torch.manual_seed(54)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    train_loader = DataLoader(TensorDataset(torch.rand(96, 12)), batch_size=16, shuffle=True)
    model = nn.DataParallel(Coder()).to(device)
    optimizer = optim.Adam(model.parameters(), lr=1e-2)
    for epoch in range(1, 3):
        model.train()
        train_loss = 0
        for batch_idx, (data,) in enumerate(train_loader):
            data = data.to(device)
            optimizer.zero_grad()
            restored, mu, logvar = model(data)
            loss = loss_function(restored, data, mu, logvar)
            loss.backward()
            train_loss += loss.item()
            optimizer.step()
        print("====> Epoch: {} Average loss: {:.4f}".format(epoch, train_loss / len(train_loader)))


if __name__ == "__main__":
    main()
