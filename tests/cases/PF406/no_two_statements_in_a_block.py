"""A tensor that a function makes and pins in one statement: a test needs two statements of a block, which are not written."""
import torch


def fill():
    own = torch.zeros(3).pin_memory()  # want: PF406 report
    return own.sum().item()


if torch.cuda.is_available():
    print(fill())
