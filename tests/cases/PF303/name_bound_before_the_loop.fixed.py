"""The name of a loop's tensors is bound before the loop; the move in the loop is the one thing to repair."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(0)
net = nn.Linear(3, 3).to(device)
data = torch.ones(2, 3).to(device)
print(round(net(data).sum().item(), 4))
for data in [torch.ones(2, 3), torch.zeros(2, 3)]:
    data = data.to(device)  # want: PF303
    print(round(net(data).sum().item(), 4))
