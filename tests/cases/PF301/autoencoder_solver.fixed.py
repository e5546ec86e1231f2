# rules: PF301, PF302
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class AE(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(6, 3), nn.ReLU())
        self.decoder = nn.Linear(3, 6)

    def forward(self, x):
        return self.decoder(self.encoder(x))


class Solver(object):
    def __init__(self, config):
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.loader = self.build_loader()
        self.net = AE().to(self.device)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=config["lr"])
        self.noise_std = 0.1
        self.center = torch.zeros(3, device=self.device)  # want: PF302

    def build_loader(self):
        return DataLoader(TensorDataset(torch.randn(24, 6)), batch_size=6, shuffle=True)

    def train(self):
        for epoch in range(2):
            for i, data in enumerate(self.loader):
                x = data[0]
                noisy = x + self.noise_std * torch.randn(x.size())
                recon = self.net(noisy.to(self.device))  # want: PF301
                loss = ((recon - x.to(self.device)) ** 2).mean()  # want: PF301
                code = self.net.encoder(x.to(self.device))  # want: PF301
                dist = torch.sum((code - self.center) ** 2, dim=1)
                loss = loss + dist.mean()
                self.opt.zero_grad()
                loss.backward()
                self.opt.step()
            print(epoch, round(loss.item(), 4))

    def sample(self, n=4):
        z = torch.randn(n, 3).to(self.device)  # want: PF302
        with torch.no_grad():
            out = self.net.decoder(z)
        return out.cpu().numpy()


if __name__ == "__main__":
    torch.manual_seed(0)
    solver = Solver({"lr": 0.01})
    solver.train()
    print(solver.sample().shape)
