# options: target-torch=2.9 device-idiom=auto
import torch
from torch import nn

device = (
    torch.accelerator.current_accelerator(check_available=True) or torch.device("cpu")
)  # want: PF402
model = nn.Linear(2, 1).to(device)
print(model(torch.ones(1, 2, device=device)))  # want: PF402
