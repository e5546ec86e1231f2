import torch
from torch import nn, optim

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(0)
counts = torch.tensor([10.0, 2.0, 1.0])
weights = counts.sum() / counts
net = nn.Linear(4, 3).to(device)
criterion = nn.CrossEntropyLoss(weight=weights).to(device)  # want: PF307
positive = nn.BCEWithLogitsLoss(pos_weight=torch.ones(3) * 2).to(device)  # want: PF307
optimizer = optim.SGD(net.parameters(), lr=0.1)


def train():
    x = torch.randn(8, 4).to(device)
    y = torch.randint(0, 3, (8,)).to(device)
    for _ in range(3):
        optimizer.zero_grad()
        out = net(x)
        loss = criterion(out, y) + positive(out, torch.ones_like(out))
        loss.backward()
        optimizer.step()
        print(round(loss.item(), 4))


train()
