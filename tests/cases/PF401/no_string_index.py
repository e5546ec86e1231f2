"""A GPU by name."""
import torch

print(torch.ones(2).cuda("cuda:3"))  # want: PF401 report
