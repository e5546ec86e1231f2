import os

import torch
from torch import nn

ids = [int(number) for number in os.environ.get("IDS", "1,0").split(",")]
one = nn.DataParallel(nn.Linear(3, 2).to("cuda:1"), device_ids=[1, 0])
two = nn.DataParallel(nn.Linear(3, 2).to("cuda:0"))
three = nn.DataParallel(nn.Linear(3, 2).cuda())
four = nn.DataParallel(nn.Linear(3, 2).to("cuda:1"), device_ids=ids)
five = nn.DataParallel(nn.Linear(3, 2).to("cuda:1"), device_ids=[0])  # the constructor moves it
x = torch.ones(4, 3)
print([model(x).sum().item() for model in (one, two, three, four, five)])
