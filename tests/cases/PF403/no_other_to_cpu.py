"""The other arm moves something else to the CPU."""
import torch

use_cuda = torch.cuda.is_available()
x, y = torch.randn(2), torch.randn(2)
z = torch.dot(x.cuda(), y) if use_cuda else torch.dot(x, y.cpu())  # want: PF403 report
if use_cuda:  # want: PF403 report
    x = x.cuda()
else:
    y = y.cpu()
print(x, y, z)
