import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(0)
data = TensorDataset(torch.randn(6, 5, 3), torch.tensor([5, 4, 3, 3, 2, 1]))
rnn = nn.LSTM(3, 2, batch_first=True).to(device)
for x, lengths in DataLoader(data, batch_size=3):
    x = x.to(device)
    print(rnn(pack_padded_sequence(x, lengths, batch_first=True))[0].data.shape)
    print(rnn(pack_padded_sequence(x, lengths.tolist(), batch_first=True))[0].data.shape)
    print(rnn(pack_padded_sequence(x, lengths.to(device).cpu(), batch_first=True))[0].data.shape)
    print(rnn(pack_padded_sequence(x, [3, 2, 1], batch_first=True))[0].data.shape)
