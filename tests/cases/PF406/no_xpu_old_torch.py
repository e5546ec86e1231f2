# machines: 0
import torch

torch.xpu.synchronize()  # want: PF406 report
print(torch.ones(2))
