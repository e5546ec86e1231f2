"""The one GPU that is used is not the current one."""
import torch

print(torch.ones(2).cuda(1))  # want: PF401 report
