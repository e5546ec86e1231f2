from torch import manual_seed, nn, optim, randn
from torch.utils.data import DataLoader, TensorDataset

manual_seed(16)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(4, 2)

    def forward(self, x):
        return self.lin(x)


train_loader = DataLoader(TensorDataset(randn(24, 4), randn(24, 2)), batch_size=6)

net = Net().cuda()
criterion = nn.MSELoss()
optimizer = optim.SGD(net.parameters(), lr=0.1)

for epoch in range(3):
    for inputs, labels in train_loader:
        inputs, labels = inputs.cuda(), labels.cuda()
        optimizer.zero_grad()
        loss = criterion(net(inputs), labels)
        loss.backward()
        optimizer.step()
    print("[%d] loss: %.5f" % (epoch + 1, loss.item()))