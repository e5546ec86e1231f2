# rules: all
import torch

x = torch.zeros(3)  # want: PF001
y = torch.zeros(3)  # want: PF001
print(x + y)
