"""Another return behind the guard, or more than a return."""
import torch


def first(x, use_cuda):
    if use_cuda:  # want: PF403 note
        return x.float().cuda()
    return x


def second(x, use_cuda):
    if use_cuda:  # want: PF403 note
        return x.float().cuda()
    print("on the host")
    return x.float()


print(first(torch.ones(1), False), second(torch.ones(1), False))
