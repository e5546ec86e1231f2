"""A generator and a discriminator on a ring of Gaussians."""
import math

import torch
import torch.nn as nn

torch.manual_seed(42)

latent_dim = 4
batch_size = 32
device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')


class Generator(nn.Module):
    def __init__(self):
        super(Generator, self).__init__()
        self.main = nn.Sequential(nn.Linear(latent_dim, 32), nn.ReLU(True), nn.Linear(32, 2))

    def forward(self, z):
        return self.main(z)


class Discriminator(nn.Module):
    def __init__(self):
        super(Discriminator, self).__init__()
        self.main = nn.Sequential(nn.Linear(2, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1), nn.Sigmoid())

    def forward(self, x):
        return self.main(x).view(-1)


def sample_ring(n):
    angle = torch.randint(0, 8, (n,)).float() * (2 * math.pi / 8)
    return torch.stack([torch.cos(angle), torch.sin(angle)], dim=1) + 0.02 * torch.randn(n, 2)


netG = Generator()
netD = Discriminator()
criterion = nn.BCELoss()

optimizerD = torch.optim.Adam(netD.parameters(), lr=2e-3, betas=(0.5, 0.999))
optimizerG = torch.optim.Adam(netG.parameters(), lr=2e-3, betas=(0.5, 0.999))

netG.to(device)
netD.to(device)

for step in range(20):
    real = sample_ring(batch_size).to(device)
    noise = torch.randn(batch_size, latent_dim).to(device)
    ones = torch.ones(batch_size, device=device)
    zeros = torch.zeros(batch_size, device=device)

    netD.zero_grad()
    fake = netG(noise)
    loss_d = criterion(netD(real), ones) + criterion(netD(fake.detach()), zeros)
    loss_d.backward()
    optimizerD.step()

    netG.zero_grad()
    loss_g = criterion(netD(fake), ones)
    loss_g.backward()
    optimizerG.step()
    if step % 5 == 0:
        print('[%02d] Loss_D: %.4f Loss_G: %.4f' % (step, loss_d.item(), loss_g.item()))
