# rules: PF402
"""Everything is made on the GPU: what else says so says so twice."""
import torch

torch.set_default_tensor_type("torch.cuda.FloatTensor")
print(torch.zeros(2) + torch.ones(2, device="cuda"))  # want: PF402 report
