import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(0)
net = nn.Linear(3, 2).to(device)
data = torch.rand(8, 3)
placed = [row.to(device) for row in data]
print(tuple(net(torch.stack(placed)).shape), tuple(net(placed[1]).shape))
rows = [data[i] for i in range(4)]
rows = [row.to(device) for row in rows]
print(tuple(net(torch.stack(rows)).shape))
mixed = [data[i] for i in range(2)]
mixed[0] = mixed[0].to(device)
print(tuple(net(mixed[0]).shape))
host = [data[i] for i in range(2)]
print(torch.stack(host).shape, torch.cat(host).shape)
several = [torch.rand(3) for _ in range(2)]
for i, one in enumerate(several):
    several[i] = one.to(device)
print(tuple(net(torch.stack(several)).shape))
collected = [torch.rand(3) for _ in range(0)]
for _ in range(2):
    collected.append(net.weight.detach().sum(0))
print(tuple(net(torch.stack(collected)).shape))
