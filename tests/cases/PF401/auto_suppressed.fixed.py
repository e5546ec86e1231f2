# options: target-torch=2.7 device-idiom=auto
from contextlib import suppress

import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

x = torch.ones(2)
with suppress(AssertionError):
    x = x.to(device)  # want: PF401
print(x)
