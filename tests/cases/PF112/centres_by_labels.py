import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class CenterLoss(nn.Module):
    def __init__(self, classes=3, size=4):
        super().__init__()
        self.centers = nn.Parameter(torch.randn(classes, size))

    def forward(self, features, labels):
        return ((features - self.centers[labels]) ** 2).sum(1).mean()


torch.manual_seed(5)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(8, 4).to(device)
center_loss = CenterLoss()  # want: PF112
optimizer = torch.optim.SGD([*net.parameters(), *center_loss.parameters()], lr=0.1)
for x, y in DataLoader(TensorDataset(torch.randn(16, 8), torch.randint(0, 3, (16,))), batch_size=8):
    x, y = x.to(device), y.to(device)
    optimizer.zero_grad()
    loss = center_loss(net(x), y)
    loss.backward()
    optimizer.step()
    print(f"{loss.item():.4f}")
