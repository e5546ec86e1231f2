# With a default device the loader draws there.
import torch
from torch.utils.data import DataLoader, TensorDataset

torch.set_default_device("cuda")
data = TensorDataset(torch.ones(8, 3))
loader = DataLoader(data, shuffle=True, generator=torch.Generator("cuda"))
order = torch.randperm(8, generator=torch.Generator("cuda"))
model = torch.nn.Linear(3, 2).to("cuda")
