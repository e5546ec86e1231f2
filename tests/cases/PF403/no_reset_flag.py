"""The flag is set again between the guards."""
import torch
from torch import nn

use_cuda = torch.cuda.is_available()
device = torch.device("cuda" if use_cuda else "cpu")
model = nn.Linear(2, 1).to(device)
use_cuda = False
x = torch.ones(1, 2)
if use_cuda:  # want: PF403 report
    x = x.cuda()
print(x)
