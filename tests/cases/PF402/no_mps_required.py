# machines: 0
import sys

import torch

if not torch.backends.mps.is_available():
    sys.exit()
x = torch.ones(2).to("mps")
print(torch.ones(2, device="mps") + x)
