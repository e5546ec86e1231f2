# options: target-torch=2.7 device-idiom=auto
from contextlib import suppress

import torch

x = torch.ones(2)
with suppress(AssertionError):
    x = x.cuda()  # want: PF401
print(x)
