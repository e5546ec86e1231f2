# Items that are no device and no flag for CUDA, and items that are bound anew before the tensor is made.
# options: unsafe
import torch
from torch import nn


def of_a_type(cfg):
    net = nn.Linear(3, 4).to(cfg["dtype"])
    start = torch.zeros(2, 3)
    return net(start)


def where_a_name_is_the_key(table, device):
    net = nn.Linear(3, 4).to(table[device])
    start = torch.zeros(2, 3)
    return net(start)


def for_seen(seen, gpu, net):
    if seen[gpu]:
        net = net.cuda()
    start = torch.zeros(2, 3)
    return net(start)


def moved(cfg):
    net = nn.Linear(3, 4).to(cfg["device"])
    start = torch.zeros(2, 3).to(cfg["device"])
    return net(start)


def moved_under_a_flag(opt):
    net = nn.Linear(3, 4)
    start = torch.zeros(2, 3)
    if opt["cuda"]:
        net = net.cuda()
        start = start.cuda()
    return net(start)


def in_the_other_arm(opt):
    net, start = nn.Linear(3, 4), torch.zeros(2, 3)
    if not opt["no_cuda"]:
        net, start = net.cuda(), start.cuda()
    return net(start)
