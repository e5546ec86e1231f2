# The items are on the CPU: the loop moves the batch.
import torch
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
data = TensorDataset(torch.ones(8, 3), torch.ones(8))
for x, y in DataLoader(data, batch_size=4, pin_memory=True):
    x = x.to(device, non_blocking=True)
    print(x.sum())
