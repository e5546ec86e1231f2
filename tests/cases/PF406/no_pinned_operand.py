# The sum of a pinned tensor is not pinned: no statement pins it, and a call without a name has no choice.
import torch

total = 1 + torch.zeros(3).pin_memory()  # want: PF406 report
print(total.sum().item() if torch.cuda.is_available() else 0)
