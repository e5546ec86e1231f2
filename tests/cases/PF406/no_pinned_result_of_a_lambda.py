# What a lambda gives back is pinned where it is called: its name is a function.
import torch

make = lambda: torch.zeros(3).pin_memory()  # want: PF406 report
print(make().sum().item() if torch.cuda.is_available() else 0)
