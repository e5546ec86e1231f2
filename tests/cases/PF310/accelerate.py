# not run: accelerate is not installed
import torch
from accelerate import Accelerator

accelerator = Accelerator()
device = accelerator.device
x = torch.randn(3).to(device)
print(x.numpy())
