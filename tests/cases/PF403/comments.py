"""The comment above a guard that goes."""
import torch

use_cuda = torch.cuda.is_available()
device = torch.device("cuda" if use_cuda else "cpu")
x = torch.ones(2)
# move data to GPU
if use_cuda:  # want: PF403
    x = x.cuda()
# move it to the GPU, where there is one
if use_cuda:  # want: PF403
    x = x.cuda()
print(x.sum().item())
