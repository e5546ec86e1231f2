"""A semicolon at the end of a line is no other statement."""
import torch

x = torch.ones(3)
if torch.cuda.is_available():
    torch.cuda.synchronize();  # want: PF406
print(x);
