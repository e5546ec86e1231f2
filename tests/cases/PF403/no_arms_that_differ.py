"""An arm inside the guard does something else than the other arm of the guard."""
import torch


def to_cuda(x, use_cuda):
    if use_cuda:  # want: PF403 report
        if isinstance(x, list):
            return [t.cuda() for t in x]
        else:
            return x.double().cuda()
    else:
        return x


print(torch.cuda.is_available())
