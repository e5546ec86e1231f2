# options: target-torch=2.9 device-idiom=auto unsafe
import torch

gpu = torch.accelerator.current_accelerator(check_available=True) or torch.device("cpu")  # want: PF402 unsafe
print(torch.ones(2, device=gpu))
