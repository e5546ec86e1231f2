# rules: PF301, PF302
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

use_cuda = torch.cuda.is_available()
device = torch.device("cuda" if use_cuda else "cpu")
data = TensorDataset(torch.randn(24, 4), torch.randint(0, 3, (24,)))
loader = DataLoader(data, batch_size=6)
model = nn.Linear(4, 3).to(device)
for x, y in loader:  # want: PF301
    x = x.to(device)
    if use_cuda:
        torch.cuda.synchronize()
        model(x)
    else:
        model(x)
for x, y in loader:  # want: PF301
    x = x.to(device)
    if not use_cuda:
        print("slow")
    model(x)
