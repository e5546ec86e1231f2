# options: unsafe
"""Where there is no CUDA the device may be another accelerator, on which the guard placed nothing."""
import torch

device = torch.accelerator.current_accelerator() if torch.accelerator.is_available() else torch.device("cpu")
x = torch.ones(2, device=device)  # want: PF403 unsafe
print(x, device)
