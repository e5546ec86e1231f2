import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
x = torch.randn(2, 4)
x.to(torch.float64)
x.to(dtype=torch.float16)
y = torch.ones(2)
x.to(y)  # want: PF303 unsafe, warning
print(x.dtype)
