# DataParallel runs its module itself where there is no GPU, whatever numbers it is given; a function may do the same with those that it gets.
import torch
from torch import nn

device = torch.device("cuda")  # want: PF402
net = nn.DataParallel(nn.Linear(3, 3).to(device), device_ids=[0])


def spread(module, device_ids):
    return nn.DataParallel(module, device_ids=device_ids) if len(device_ids) > 1 else module


ids = list(range(torch.cuda.device_count()))
other = spread(nn.Linear(3, 3).to(device), device_ids=ids)
print(net(torch.ones(2, 3).to(device)).shape, other(torch.ones(2, 3).to(device)).shape)
