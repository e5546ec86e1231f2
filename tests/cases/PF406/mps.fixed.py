# machines: 0
import torch

x = torch.ones(3)
if torch.backends.mps.is_available():
    torch.mps.synchronize()  # want: PF406
if torch.backends.mps.is_available():
    torch.mps.empty_cache()  # want: PF406
print(x)
