# rules: PF301, PF302, PF303
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
import numpy as np

model = nn.Linear(4, 3).to(device)
table = torch.randn(10, 4)
print(table.numpy().mean() < 10, np.asarray(table).shape)
picked = table[torch.randperm(10)[:3]]
print(model(picked.to(device)).shape)
lengths = torch.tensor([4, 3, 2])
rnn = nn.GRU(4, 3, batch_first=True).to(device)
packed = nn.utils.rnn.pack_padded_sequence(torch.randn(3, 4, 4).to(device), lengths, batch_first=True)
print(rnn(packed)[1].shape)
