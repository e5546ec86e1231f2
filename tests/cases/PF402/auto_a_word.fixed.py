# options: target-torch=2.9 device-idiom=auto
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"  # want: PF402
print(torch.ones(2, device=device))
