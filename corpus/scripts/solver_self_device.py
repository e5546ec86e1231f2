class Config(object):
    lr = 1e-3
    epochs = 2
    batch_size = 10


import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class VAE(nn.Module):
    def __init__(self, x_dim=16, h_dim=12, z_dim=3):
        super(VAE, self).__init__()
        self.fc1 = nn.Linear(x_dim, h_dim)
        self.mu = nn.Linear(h_dim, z_dim)
        self.log_var = nn.Linear(h_dim, z_dim)
        self.fc4 = nn.Linear(z_dim, h_dim)
        self.fc5 = nn.Linear(h_dim, x_dim)

    def forward(self, x):
        h = F.relu(self.fc1(x))
        mu, log_var = self.mu(h), self.log_var(h)
        z = mu + torch.exp(log_var / 2)
        return torch.sigmoid(self.fc5(F.relu(self.fc4(z)))), mu, log_var


class Solver(object):
    def __init__(self, config, loader):
        self.config = config
        self.loader = loader
        self.device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')
        self.build_model()

    def build_model(self):
        self.vae = VAE().to(self.device)
        self.optimizer = torch.optim.Adam(self.vae.parameters(), lr=self.config.lr)

    def train(self):
        for epoch in range(self.config.epochs):
            for (x,) in self.loader:
                x = x.cuda()
                x_reconst, mu, log_var = self.vae(x)
                reconst_loss = F.binary_cross_entropy(x_reconst, x, reduction='sum')
                kl_div = -0.5 * torch.sum(1 + log_var - mu.pow(2) - log_var.exp())
                loss = reconst_loss + kl_div
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
            print('Epoch[%d/%d] Reconst: %.4f KL: %.4f'
                  % (epoch + 1, self.config.epochs, reconst_loss.item(), kl_div.item()))

    def sample(self, n):
        z = torch.ones(n, 3).cuda()
        return torch.sigmoid(self.vae.fc5(F.relu(self.vae.fc4(z))))


if __name__ == '__main__':
    torch.manual_seed(18)
    solver = Solver(Config(), DataLoader(TensorDataset(torch.rand(40, 16)), batch_size=Config.batch_size))
    solver.train()
    print('sample mean %.5f' % solver.sample(2).mean().item())
