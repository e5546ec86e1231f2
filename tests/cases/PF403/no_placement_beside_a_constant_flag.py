# A flag that is True, and a test that places nothing.
import torch
from torch import nn

use_cuda = True
device = torch.device("cuda" if (use_cuda and torch.cuda.is_available()) else "cpu")
net = nn.Linear(3, 2).to(device)
if torch.cuda.is_available():
    print(torch.cuda.device_count())
print(net(torch.ones(4, 3).to(device)).sum())
