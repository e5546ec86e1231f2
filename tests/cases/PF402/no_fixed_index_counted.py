"""A fixed number that a test of the number of GPUs decides about."""
import torch

device = torch.device("cuda:1" if torch.cuda.device_count() > 1 else "cpu")
print(torch.ones(1).to(device))
