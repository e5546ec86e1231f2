"""A semicolon at the end of a line is no other statement."""
import torch

x = torch.ones(3)
torch.cuda.synchronize();  # want: PF406
print(x);
