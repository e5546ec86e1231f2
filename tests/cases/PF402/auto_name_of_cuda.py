# options: target-torch=2.9 device-idiom=auto unsafe
import torch

gpu = torch.device("cuda")  # want: PF402 unsafe
print(torch.ones(2, device=gpu))
