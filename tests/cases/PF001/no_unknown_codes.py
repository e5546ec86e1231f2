# rules: all
import torch

x = torch.ones(2)  # placefix: ignore[PF419] of the loader # want: PF001 unsafe
y = x + 1  # placefix: ignore[E501, W1]  # want: PF001 unsafe
