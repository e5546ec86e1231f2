"""A guard that does more stays; its moves are spelled with the device that goes with it."""
import torch
from torch import nn

use_cuda = torch.cuda.is_available()
device = torch.device("cuda" if use_cuda else "cpu")
model = nn.Linear(4, 1)
if use_cuda:  # want: PF403
    torch.backends.cudnn.benchmark = True
    model = nn.DataParallel(model).to(device)
x = torch.ones(1, 4)
if x.sum() > 9:
    print("large")
else:  # want: PF403
    x = x.to(device)
# want: PF403
x = x.to(device)
print(model(x.to(device)))
