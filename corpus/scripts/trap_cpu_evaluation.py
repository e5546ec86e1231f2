"""Training on the accelerator, evaluation on the host by design."""
import copy

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(104)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
dataset = TensorDataset(torch.randn(36, 7), torch.randint(0, 2, (36,)))
loader = DataLoader(dataset, batch_size=12)

net = nn.Sequential(nn.Linear(7, 10), nn.ReLU(), nn.Linear(10, 2))
net.to(device)
optimizer = torch.optim.Adam(net.parameters(), lr=0.02)
criterion = nn.CrossEntropyLoss()

for epoch in range(2):
    net.train()
    for inputs, labels in loader:
        inputs, labels = inputs.to(device), labels.to(device)
        optimizer.zero_grad()
        loss = criterion(net(inputs), labels)
        loss.backward()
        optimizer.step()
    print("epoch", epoch, "loss", round(loss.item(), 5))

# int8 kernels only exist on the host
host_net = copy.deepcopy(net).cpu().eval()
hits = 0
for inputs, labels in loader:
    hits += (host_net(inputs).argmax(1) == labels).sum().item()
print("on the host:", hits)

net.cpu()
net.eval()
hits = 0
with torch.no_grad():
    for inputs, labels in loader:
        hits += (net(inputs).argmax(1) == labels).sum().item()
print("moved back:", hits)
