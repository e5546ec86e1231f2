import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
from tqdm import tqdm


class Trainer:
    def __init__(self, net, loader, lr):
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.model = nn.DataParallel(net).to(self.device)
        self.loader = loader
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=lr)
        self.criterion = nn.CrossEntropyLoss()

    def fit(self, epochs):
        for epoch in range(epochs):
            total = 0
            for batch in tqdm(self.loader):
                x, y = batch
                x = x.to(self.device)
                y = y.to(self.device)
                loss = self.criterion(self.model(x), y)
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
                total += loss.item()
            print(total)


torch.manual_seed(3)
net = nn.Sequential(nn.Linear(8, 4), nn.ReLU(), nn.Linear(4, 3))
data = TensorDataset(torch.randn(96, 8), torch.randint(0, 3, (96,)))
Trainer(net, DataLoader(data, 16, True), 0.1).fit(2)
