"""A test for CUDA that stays in another function, or does more than place, keeps no device away."""
# run: print(noise(torch.cuda.is_available()).sum().item() < 9, used(nn.Linear(3, 1), torch.cuda.is_available()).shape)
# run: print(seeded(torch.cuda.is_available(), 2).sum().item())
import torch
from torch import nn


def noise(use_cuda):
    x = torch.randn(3)
    device = torch.device("cuda" if use_cuda else "cpu")
    # want: PF403
    x = x.to(device)
    return x


def used(net, use_cuda):
    if use_cuda:  # want: PF403 unsafe
        net.cuda()
    return next(net.parameters())


def seeded(use_cuda, seed):
    if use_cuda:
        torch.cuda.manual_seed(seed)
    device = torch.device("cuda" if use_cuda else "cpu")
    x = torch.ones(3, device=device)  # want: PF403
    return x
