# Multi-GPU autoencoder; the batch is placed, the network never is.
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(11)

EPOCHS = 3
BATCH = 10


class AutoEncoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(12, 4)
        self.decoder = nn.Linear(4, 12)

    def forward(self, x):
        return self.decoder(torch.tanh(self.encoder(x)))


loader = DataLoader(TensorDataset(torch.rand(50, 12)), batch_size=BATCH)

net = nn.DataParallel(AutoEncoder())
opt = torch.optim.Adam(net.parameters(), lr=3e-3)
mse = nn.MSELoss()

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

for epoch in range(EPOCHS):
    running = 0.0
    for (x,) in loader:
        x = x.to(device)
        loss = mse(net(x), x)
        opt.zero_grad()
        loss.backward()
        opt.step()
        running += loss.item()
    print("epoch", epoch, "reconstruction", round(running, 5))