# message: RuntimeError: cannot pin 'torch.cuda.FloatTensor' only dense CPU tensors can be pinned
# rules: PF313
# fix: none
import torch
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
data = TensorDataset(torch.ones(8, 3).to(device))
for (x,) in DataLoader(data, batch_size=4, pin_memory=True):
    print(x.sum())
