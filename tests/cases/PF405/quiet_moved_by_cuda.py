"""A move by `.cuda()` of a part, of one way or to one GPU says nothing of what is loaded."""
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def an_item_by_a_name(path, key):
    return torch.load(path)[key].to(device)


def to_its_gpu(path):
    table = torch.load(path)
    table = table.cuda(1)
    return table


def where_there_is_no_gpu(path, use_cuda):
    table = torch.load(path)
    if use_cuda:
        table = table.cuda()
    else:
        table = table.float()
    return table


def moved_among_others(path):
    table = torch.load(path)
    pair = table.cuda(), 2
    return pair
