# rules: PF403
"""What a lambda's argument is, no other function of the file says that calls something by that name."""
import torch


def total(t):
    return t.size(0) + t.sum()


def mover(cuda):
    return (lambda t: t.cuda()) if cuda else (lambda t: t)  # want: PF403 unsafe


print(total(torch.ones(2)), mover(torch.cuda.is_available())([1, 2]) if not torch.cuda.is_available() else "")
