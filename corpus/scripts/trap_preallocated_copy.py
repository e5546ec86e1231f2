"""Buffers allocated once on the device; batches are copied into them."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(124)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
loader = DataLoader(TensorDataset(torch.randn(30, 6), torch.rand(30, 1)), batch_size=8)

input = torch.empty(8, 6).to(device)
label = torch.empty(8, 1).to(device)
net = nn.Sequential(nn.Linear(6, 1), nn.Sigmoid()).to(device)
criterion = nn.BCELoss()
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)

for epoch in range(2):
    for i, data in enumerate(loader):
        real_cpu, target_cpu = data
        input.resize_(real_cpu.size()).copy_(real_cpu)
        label.resize_(target_cpu.size()).copy_(target_cpu)
        loss = criterion(net(input), label)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print('[%d] %.5f' % (epoch, loss.item()))
