# A batch of a loader is a tensor and no module.
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
loader = DataLoader(TensorDataset(torch.randn(8, 4)), batch_size=4)
model = nn.Linear(4, 2).to(device)
for (x,) in loader:
    print(model(x.to(device, torch.float32)).shape)  # want: PF407
