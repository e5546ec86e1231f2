# rules: PF301, PF302
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
latent_dim = 8
G = nn.Sequential(nn.Linear(latent_dim, 16), nn.ReLU(), nn.Linear(16, 2)).to(device)
D = nn.Sequential(nn.Linear(2, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1), nn.Sigmoid()).to(device)
criterion = nn.BCELoss()
opt_g = torch.optim.Adam(G.parameters(), lr=2e-4)
opt_d = torch.optim.Adam(D.parameters(), lr=2e-4)
data = TensorDataset(torch.randn(64, 2))
loader = DataLoader(data, batch_size=16, shuffle=True)
fixed_noise = torch.randn(4, latent_dim).to(device)  # want: PF302

for epoch in range(2):
    for i, (real,) in enumerate(loader):  # want: PF301
        real = real.to(device)
        batch_size = real.size(0)
        real_labels = torch.ones(batch_size, 1, device=device)  # want: PF302
        fake_labels = torch.zeros(batch_size, 1, device=device)  # want: PF302

        # train the discriminator
        opt_d.zero_grad()
        d_loss_real = criterion(D(real), real_labels)
        z = torch.randn(batch_size, latent_dim).to(device)  # want: PF302
        fake = G(z)
        d_loss_fake = criterion(D(fake.detach()), fake_labels)
        d_loss = d_loss_real + d_loss_fake
        d_loss.backward()
        opt_d.step()

        # train the generator
        opt_g.zero_grad()
        g_loss = criterion(D(fake), real_labels)
        g_loss.backward()
        opt_g.step()
    print(epoch, round(d_loss.item(), 4), round(g_loss.item(), 4))

with torch.no_grad():
    print(G(fixed_noise).shape)
