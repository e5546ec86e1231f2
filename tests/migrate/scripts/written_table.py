import csv
import torch
import torch.nn as nn
from torch.utils.data import Dataset, DataLoader
import numpy as np


class Curve(Dataset):
    def __init__(self, n):
        self.x = np.linspace(-1, 1, n).reshape(-1, 1)
        self.y = np.sin(3 * self.x)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return torch.as_tensor(self.x[i], dtype=torch.get_default_dtype()), torch.as_tensor(self.y[i], dtype=torch.get_default_dtype())


def main():
    torch.manual_seed(0)
    device = torch.device('cuda:0' if torch.cuda.is_available() else 'cpu')
    loader = DataLoader(Curve(96), batch_size=16, shuffle=True)
    net = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1))
    net = nn.DataParallel(net)
    net = net.to(device)
    opt = torch.optim.LBFGS(net.parameters()) if False else torch.optim.Adam(net.parameters(), 0.01)
    mse = nn.MSELoss()
    with open('log.csv', 'w', newline='') as f:
        w = csv.writer(f)
        w.writerow(['epoch', 'loss', 'mae'])
        for epoch in range(3):
            tot, mae = 0., 0.
            for x, y in loader:
                x, y = x.to(device), y.to(device)
                p = net(x)
                loss = mse(p, y)
                opt.zero_grad()
                loss.backward()
                opt.step()
                tot += loss.item()
                mae += (p - y).abs().mean().item()
            w.writerow([epoch, tot / len(loader), mae / len(loader)])
            print(epoch, round(tot / len(loader), 4), round(mae / len(loader), 4))


if __name__ == '__main__':
    main()
