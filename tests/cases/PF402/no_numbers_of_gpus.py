# The kernel is given the numbers of GPUs: a device that is the CPU without one would only look portable.
import torch
from kernels import MultiDeviceKernel
from torch import nn

output_device = torch.device("cuda:0")  # want: PF402 report
count = torch.cuda.device_count()
kernel = MultiDeviceKernel(nn.Linear(3, 3), device_ids=range(count), output_device=output_device)
print(kernel(torch.ones(2, 3).to(output_device)))
