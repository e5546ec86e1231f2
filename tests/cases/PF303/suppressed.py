import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
x = torch.randn(2, 4)
x.to(device)  # placefix: ignore[PF303] warms the allocator up
x.to(device)  # noqa: PF303
print(x.shape)
