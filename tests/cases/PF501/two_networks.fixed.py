# rules: all
# options: add-placement
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

torch.manual_seed(0)
G = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2)).to(device)  # want: PF501
D = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 1), nn.Sigmoid()).to(device)
loss_fn = nn.BCELoss()
opt_g = torch.optim.Adam(G.parameters(), lr=1e-3)
opt_d = torch.optim.Adam(D.parameters(), lr=1e-3)
loader = DataLoader(TensorDataset(torch.randn(32, 2)), batch_size=8)
for epoch in range(2):
    for (real,) in loader:
        real = real.to(device)
        n = real.size(0)
        ones = torch.ones(n, 1, device=device)
        zeros = torch.zeros(n, 1, device=device)
        z = torch.randn(n, 4).to(device)
        fake = G(z)
        d_loss = loss_fn(D(real), ones) + loss_fn(D(fake.detach()), zeros)
        opt_d.zero_grad()
        d_loss.backward()
        opt_d.step()
        g_loss = loss_fn(D(fake), ones)
        opt_g.zero_grad()
        g_loss.backward()
        opt_g.step()
    print(epoch, d_loss.item(), g_loss.item())
