# options: unsafe
# run: flag = torch.cuda.is_available()
# run: print(set_cuda(torch.ones(2), flag).sum().item(), maybe_cuda(torch.ones(3), flag).sum().item(), cuda([torch.ones(3)], flag)[0].sum().item())
"""Named for CUDA, with a flag: what they are given may lie on a GPU where it is false."""
import torch


def set_cuda(var, cuda):
    if cuda:  # want: PF403 unsafe
        return var.cuda()
    return var


def maybe_cuda(x, use_cuda):
    return x.cuda() if use_cuda else x  # want: PF403 unsafe


def cuda(given, cuda_available=True, non_blocking=False):
    if cuda_available:  # want: PF403 unsafe
        if isinstance(given, list):
            return [t.cuda(non_blocking=non_blocking) for t in given]
        else:
            return given.cuda(non_blocking=non_blocking)
    else:
        return given
