import torch


def describe(x):
    if isinstance(x, torch.cuda.FloatTensor):
        return "on the GPU"
    if x.type() == "torch.cuda.FloatTensor":
        return "on the GPU"
    known = {"torch.cuda.FloatTensor": 4, torch.cuda.HalfTensor: 2}
    return known[x.type()]
