import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
parts = [torch.zeros(2), torch.ones(2)]
for part in parts:
    part.to(device)  # want: PF303 report, warning
print(len(parts))
(parts[0] + 1).to(device)  # want: PF303 report, warning
parts[1].to(device)  # want: PF303 report, warning
