import torch


def fill(x):
    if x.is_cuda:
        ones = torch.cuda.FloatTensor(3).fill_(1)
    else:
        ones = torch.FloatTensor(3).fill_(1)
    return ones


def to_cuda(x):
    return x.view(-1).type(torch.cuda.FloatTensor)


def needs(x):
    assert torch.cuda.is_available()
    return torch.cuda.FloatTensor([1]) + x
