"""The comment above a guard that goes."""
import torch

use_cuda = torch.cuda.is_available()
device = torch.device("cuda" if use_cuda else "cpu")
x = torch.ones(2)
# move data to device
# want: PF403
x = x.to(device)
# move it to the GPU, where there is one
# want: PF403
x = x.to(device)
print(x.sum().item())
