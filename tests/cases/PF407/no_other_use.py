import torch


def train(make, use_cuda, rows):
    dtype = torch.cuda.FloatTensor if use_cuda else torch.FloatTensor  # want: PF407 report
    x = make(rows, dtype)
    return x.type(dtype)


def several(use_cuda, half):
    kind = torch.cuda.FloatTensor if use_cuda else torch.FloatTensor
    if half:
        kind = torch.cuda.HalfTensor  # want: PF407 report
    return kind(3, 4)


def other_type(use_cuda):
    kind = torch.cuda.HalfTensor if use_cuda else torch.FloatTensor
    return kind(3, 4)


def other_question(half):
    kind = torch.HalfTensor if half else torch.FloatTensor
    return kind(3, 4)
