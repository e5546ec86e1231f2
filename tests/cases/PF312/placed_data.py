# The data set is made of placed tensors: CUDA has started when the workers begin.
import torch
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
data = TensorDataset(torch.ones(8, 3).to(device), torch.ones(8))
loader = DataLoader(data, batch_size=4, num_workers=1)
for x, y in loader:  # want: PF312 report
    print(x.sum())
