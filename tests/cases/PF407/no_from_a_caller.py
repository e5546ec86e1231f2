# rules: PF403,PF407
"""What a caller hands in may lie on another GPU than the current one: a type leaves it there, a device would not."""
import torch


def cast(mask):
    mask = mask.view(-1)
    if torch.cuda.is_available():  # want: PF407 unsafe
        mask = mask.type(torch.cuda.ByteTensor)
    else:
        mask = mask.type(torch.ByteTensor)
    return mask


def total(logits, scale):
    flat = logits.view(-1) * scale
    return flat.type("torch.cuda.FloatTensor").sum()  # want: PF407 unsafe
