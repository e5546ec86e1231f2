"""What takes the size of a tensor of a device lies where it lay."""
import torch
from torch import nn

torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(3, 5).to(device)
data = torch.randn(4, 3).to(device)
alpha = torch.rand(4, 1).to(device)  # want: PF302
print((alpha.expand_as(data) * data).shape)
flat = torch.rand(12).to(device)  # want: PF302
print(net(flat.view_as(data)).shape)
