# options: unsafe
"""Where there is no CUDA the device may be another accelerator, on which the guard placed nothing."""
import torch

device = torch.accelerator.current_accelerator(check_available=True) or torch.device("cpu")
x = torch.ones(2)
print(x.sum())
# want: PF403 unsafe
x = x.to(device)
print(x, device)
