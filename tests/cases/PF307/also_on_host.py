import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(0)
criterion = nn.CrossEntropyLoss(weight=torch.tensor([1.0, 2.0]))  # want: PF307 unsafe
net = nn.Linear(3, 2).to(device)
host = nn.Linear(3, 2)
y = torch.tensor([0, 1])
print(round(criterion(host(torch.ones(2, 3)), y).item(), 4))
print(round(criterion(net(torch.ones(2, 3).to(device)), y.to(device)).item(), 4))
