# Tensors that the lines above the guard create stay there where the other arm does more than leave them.
# run: print([t.sum().item() for t in pair(2, False)])
import torch


def pair(n, use_cuda):
    a = torch.zeros(n)
    b = torch.ones(n)
    if use_cuda:  # want: PF403 report
        a, b = a.cuda(), b.cuda()
    else:
        b = b + 1
    return a, b
