# message: RuntimeError: Expected a 'cpu' device type for generator but found 'cuda'
# rules: PF315
# fix: none
import torch
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
generator = torch.Generator(device=device).manual_seed(0)
data = TensorDataset(torch.ones(8, 3))
for (x,) in DataLoader(data, batch_size=4, shuffle=True, generator=generator):
    print(x.to(device).sum())
