# DDP takes one device id; DataParallel takes several.
import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main(rank):
    torch.cuda.set_device(rank)
    one = DDP(nn.Linear(3, 2).to(rank), device_ids=[0, 1])  # want: PF105 report
    two = DDP(nn.Linear(3, 2), device_ids=(0, 1))  # want: PF105 report
    three = DDP(nn.Linear(3, 2).to(rank), device_ids=list(range(torch.cuda.device_count())))  # want: PF105 report, warning
    count = torch.cuda.device_count()
    ids = list(range(count))
    four = DDP(nn.Linear(3, 2).to(rank), device_ids=ids)  # want: PF105 report, warning
    return one, two, three, four, nn.DataParallel(nn.Linear(3, 2).cuda(), device_ids=[0, 1])
