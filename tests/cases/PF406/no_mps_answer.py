# machines: 0
import torch

used = torch.mps.current_allocated_memory() + 1  # want: PF406 report
print(used)
