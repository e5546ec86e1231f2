# options: device-idiom=accelerator target-torch=2.7 unsafe
import torch

device = (
    torch.accelerator.current_accelerator(check_available=True) or torch.device("cpu")
)  # want: PF402 unsafe
x = torch.zeros(3).to(device)
