# message: ValueError: sampler option is mutually exclusive with shuffle
# rules: PF412
import torch
from torch.utils.data import DataLoader, SequentialSampler, TensorDataset

data = TensorDataset(torch.ones(8, 2))
loader = DataLoader(data, batch_size=4, sampler=SequentialSampler(data), shuffle=True)
