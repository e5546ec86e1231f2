"""The default is CUDA, and what is there overrides it."""
import torch

device = "cuda"
if not torch.cuda.is_available():
    device = "cpu"
print(torch.ones(1).to(device))
