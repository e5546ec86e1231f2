"""The default device of all tensors becomes a choice."""
import torch

torch.set_default_device("cuda" if torch.cuda.is_available() else "cpu")  # want: PF402
a = torch.ones(3, 3)
print((a @ a).sum().item())
