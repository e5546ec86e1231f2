import torch
from torch.autograd import Variable


def to_var(x):
    return Variable(x.cuda())


def one_hot(labels, n):
    return torch.eye(n).cuda()[labels]
