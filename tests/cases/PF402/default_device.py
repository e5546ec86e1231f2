"""The default device of all tensors becomes a choice."""
import torch

torch.set_default_device("cuda")  # want: PF402
a = torch.ones(3, 3)
print((a @ a).sum().item())
