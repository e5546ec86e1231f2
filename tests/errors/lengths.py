# message: RuntimeError: 'lengths' argument should be a 1D CPU int64 tensor, but got 1D cuda:0 Long tensor
# rules: PF309
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
x, lengths = torch.randn(2, 5, 4).to(device), torch.tensor([5, 3]).to(device)
packed = pack_padded_sequence(x, lengths, batch_first=True)
