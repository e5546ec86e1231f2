"""CUDA exactly where there is none: what was meant is not known."""
import torch
from torch import nn

one = torch.device("cuda" if not torch.cuda.is_available() else "cpu")
two = "cpu" if torch.cuda.is_available() else "cuda"
x = torch.ones(3).to(one)
y = torch.ones(3).to(two)


def build(device=one):
    return nn.Linear(3, 1).cuda()  # want: PF401 unsafe
