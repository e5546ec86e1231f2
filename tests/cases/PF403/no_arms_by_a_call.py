"""The arms inside the guard are chosen by something that happens only there."""
import torch


def cuda(x, use_cuda):
    if use_cuda:  # want: PF403 report
        if x.pop() is not None:
            return x.cuda()
        else:
            return x.cuda()
    else:
        return x


print(torch.cuda.is_available())
