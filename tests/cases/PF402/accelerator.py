# options: device-idiom=accelerator target-torch=2.7 unsafe
import torch

device = torch.device("cuda")  # want: PF402 unsafe
x = torch.zeros(3).to(device)
