# Two functions ask the settings at different times: the device of the first is not that of the second.
import torch

from settings import cfg


def outer(batch: torch.Tensor):
    device = torch.device("cuda" if cfg.CUDA else "cpu")

    def inner(more: torch.Tensor):
        if cfg.CUDA:  # want: PF403 report
            more = more.cuda()
        return more + batch.to(device)

    return inner
