"""A loop moves the tensors of a list under a name that is bound before it; the results are kept on the CPU."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(0)
net = nn.Linear(3, 3).to(device)
data = torch.ones(2, 3).to(device)
total = net(data).detach().cpu()
for data in [torch.ones(2, 3), torch.zeros(2, 3)]:
    data = data.to(device)
    total += net(data).detach().cpu()
print(total.shape)
