import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, width))
        self.neck = nn.Module()
        self.neck.project = nn.Linear(width, width)
        self.fc = nn.Linear(width, 10)

    def forward(self, x):
        return self.fc(self.neck.project(self.body(x)))


torch.manual_seed(1)
net = Net(4).to(device)
net.body[2] = nn.Linear(4, 6)  # want: PF112
net.neck.project = nn.Linear(6, 6)  # want: PF112
net.fc = nn.Linear(6, 2)  # want: PF112
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(2):
    x = torch.randn(3, 4).to(device)
    loss = net(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(f"{loss.item():.4f}")
