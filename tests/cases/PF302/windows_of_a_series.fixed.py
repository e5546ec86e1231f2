import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(0)


def get_batch(series, starts):
    x = torch.stack([series[i : i + 4] for i in starts]).to(device)  # want: PF302
    y = torch.stack([series[i + 4] for i in starts]).to(device)
    return x, y


series = torch.rand(32)
net = nn.Linear(4, 1).to(device)
squash = nn.Sigmoid()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    x, y = get_batch(series, range(step, step + 8))
    loss = nn.functional.mse_loss(squash(net(x)).squeeze(1), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(round(loss.item(), 4))
