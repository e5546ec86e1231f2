import torch
from torch import nn

model = nn.DataParallel(nn.Linear(2, 2))  # want: PF102 report
(model).cuda()
