"""What is written into a tensor, or tells lengths, may lie elsewhere."""
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(3, 3).to(device)
lengths = torch.tensor([2, 1])
x = torch.ones(2, 2, 3).to(device)
packed = pack_padded_sequence(net(x), lengths, batch_first=True)
kept = torch.zeros(2, 2, 3)
kept[:1] = net(x)[:1]
kept.copy_(net(x))
out = net(x)
out[1:] = torch.zeros(1, 2, 3)
out.copy_(torch.ones(2, 2, 3))
print(packed.data.shape, kept.shape, out.sum().item())
