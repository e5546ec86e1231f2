# rules: all
import torch

x = torch.ones(2)  # placefix: ignore[PF401, PF001] with the next release
# placefix: ignore[PF001]
# placefix: ignore[PF301]
y = x + 1
z = y + 1  # noqa: PF401,PF001
