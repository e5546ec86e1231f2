# machines: 0
import torch

x = torch.ones(3)
torch.mps.synchronize()  # want: PF406
torch.mps.empty_cache()  # want: PF406
print(x)
