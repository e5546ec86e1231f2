import torch


def fill(x):
    if x.is_cuda:  # want: PF407 note
        ones = torch.cuda.FloatTensor(3).fill_(1)
    else:
        ones = torch.FloatTensor(3).fill_(1)
    return ones


def to_cuda(x):
    return x.view(-1).type(torch.cuda.FloatTensor)


def needs(x):
    assert torch.cuda.is_available()
    return torch.cuda.FloatTensor([1]) + x


def binary(a, use_cuda):
    if use_cuda:  # want: PF407 unsafe
        a = a.type(torch.cuda.ByteTensor)
    else:
        a = a.type(torch.ByteTensor)
    return a
