"""CUDA exactly where there is none: whatever is meant, it is not this."""
import torch

cpu_only = torch.cuda.is_available()
x = torch.ones(2)
x = x if cpu_only else x.cuda()  # want: PF403 report
y = torch.ones(2)
if not cpu_only:  # want: PF403 report
    y = y.cuda()
print(x + y)
