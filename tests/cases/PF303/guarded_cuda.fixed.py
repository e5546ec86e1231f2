import torch
from torch import nn

torch.manual_seed(0)
use_cuda = torch.cuda.is_available()
net = nn.Linear(3, 2)
data = torch.ones(4, 3)
if use_cuda:
    net.cuda()
    data = data.cuda()  # want: PF303
print(net(data).shape)
