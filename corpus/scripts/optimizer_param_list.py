import torch
import torch.nn as nn
import torch.optim as optim
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.base = nn.Linear(8, 8)
        self.head = nn.Linear(8, 1)
        for p in self.base.parameters():
            p.requires_grad = False

    def forward(self, x):
        return self.head(torch.relu(self.base(x)))


torch.manual_seed(15)
device = 'cuda' if torch.cuda.is_available() else 'cpu'
loader = DataLoader(TensorDataset(torch.randn(32, 8), torch.randn(32, 1)), batch_size=8)

net = Net()
trainable = \
    [p for p in net.parameters() if p.requires_grad]
optimizer = optim.SGD(trainable, lr=0.05)
print('training', sum(p.numel() for p in trainable), 'weights')
net = net.to(device)

for epoch in range(3):
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        loss = \
            nn.functional.mse_loss(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print('epoch %d loss %.5f' % (epoch, loss.item()))
