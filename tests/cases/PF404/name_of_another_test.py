# A test that is not about versions decides nothing about the names.
# run: print(train(torch.ones(2)))
import torch

MIXED = torch.cuda.is_available()


def train(x):
    if MIXED:
        with torch.cuda.amp.autocast():  # want: PF404
            return x * 2
    return x
