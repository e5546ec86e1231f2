"""A default and its override are a choice."""
import torch

device = "cpu"
if torch.cuda.is_available():
    device = "cuda"
print(torch.ones(1).to(device))
