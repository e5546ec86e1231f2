"""A GAN whose tensors are made by type aliases, as many of 2018 were."""
import argparse

import numpy as np
import torch
import torch.nn as nn
from torch.autograd import Variable
from torch.utils.data import DataLoader

parser = argparse.ArgumentParser()
parser.add_argument("--n_epochs", type=int, default=2)
parser.add_argument("--batch_size", type=int, default=8)
parser.add_argument("--latent_dim", type=int, default=4)
opt = parser.parse_args()

np.random.seed(0)
torch.manual_seed(0)
cuda = True if torch.cuda.is_available() else False

generator = nn.Sequential(nn.Linear(opt.latent_dim + 2, 16), nn.LeakyReLU(0.2), nn.Linear(16, 6))
discriminator = nn.Sequential(nn.Linear(6, 8), nn.LeakyReLU(0.2), nn.Linear(8, 1), nn.Sigmoid())
adversarial_loss = torch.nn.BCELoss()

if cuda:
    generator.cuda()
    discriminator.cuda()
    adversarial_loss.cuda()

optimizer_G = torch.optim.Adam(generator.parameters(), lr=0.01)
optimizer_D = torch.optim.Adam(discriminator.parameters(), lr=0.01)

FloatTensor = torch.cuda.FloatTensor if cuda else torch.FloatTensor
LongTensor = torch.cuda.LongTensor if cuda else torch.LongTensor

dataloader = DataLoader(torch.randn(16, 6, dtype=torch.float64), batch_size=opt.batch_size)


def sample_image(n_row):
    """One latent vector for each of n_row classes"""
    z = Variable(FloatTensor(np.random.normal(0, 1, (n_row, opt.latent_dim))))
    labels = np.array([num for num in range(n_row)])
    labels = Variable(LongTensor(labels))
    codes = nn.functional.one_hot(labels, 2).type(FloatTensor)
    return generator(torch.cat((z, codes), 1))


for epoch in range(opt.n_epochs):
    for imgs in dataloader:
        valid = Variable(FloatTensor(imgs.size(0), 1).fill_(1.0), requires_grad=False)
        fake = Variable(FloatTensor(imgs.size(0), 1).fill_(0.0), requires_grad=False)
        real_imgs = Variable(imgs.type(FloatTensor))
        labels = LongTensor(np.random.randint(0, 2, imgs.shape[0]))
        codes = nn.functional.one_hot(labels, 2).float()

        optimizer_G.zero_grad()
        z = Variable(FloatTensor(np.random.normal(0, 1, (imgs.shape[0], opt.latent_dim))))
        gen_imgs = generator(torch.cat((z, codes), 1))
        g_loss = adversarial_loss(discriminator(gen_imgs), valid)
        g_loss.backward()
        optimizer_G.step()

        optimizer_D.zero_grad()
        real_loss = adversarial_loss(discriminator(real_imgs), valid)
        fake_loss = adversarial_loss(discriminator(gen_imgs.detach()), fake)
        d_loss = (real_loss + fake_loss) / 2
        d_loss.backward()
        optimizer_D.step()
    print(f"epoch {epoch}: D {d_loss.item():.5f} G {g_loss.item():.5f}")
print(sample_image(2).sum().item())
