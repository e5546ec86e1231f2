# options: target-torch=2.9 device-idiom=auto
import torch

device = "cuda"  # want: PF402
print(torch.ones(2, device=device))
