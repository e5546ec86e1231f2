# rules: PF103
import torch
from torch import nn

import settings
from settings import device, where

net = nn.DataParallel(nn.Linear(8, 2))
net.to(device)
net(torch.zeros(4, 8))

head = nn.DataParallel(nn.Linear(8, 2))
head.to(settings.device)
head(torch.zeros(4, 8))

tail = nn.DataParallel(nn.Linear(8, 2))
tail.to(where)
tail(torch.zeros(4, 8))
