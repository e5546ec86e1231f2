# rules: all
import torch

x = torch.zeros(3)  # NoQA: PF301 # want: PF001
y = torch.zeros(3)  # Placefix: ignore[PF302] # want: PF001
print(x + y)
