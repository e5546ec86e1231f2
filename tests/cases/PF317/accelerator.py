# machines: 0
import torch

device = torch.accelerator.current_accelerator(check_available=True) or torch.device("cpu")
print(torch.ones(2, dtype=torch.float64, device=device))  # want: PF317 report, warning
