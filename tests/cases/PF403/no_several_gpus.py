import torch
from torch import nn

a = nn.Linear(2, 2)
if torch.cuda.is_available():  # want: PF403 report
    a.cuda(0)
b = nn.Linear(2, 2)
if torch.cuda.device_count() > 1:
    b.to("cuda:1")
print(a, b)
