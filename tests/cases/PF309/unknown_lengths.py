import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(3, 2)

    def forward(self, x, lengths):
        return self.rnn(pack_padded_sequence(x, lengths))[0].data


print(Encoder().to(device)(torch.ones(4, 2, 3).to(device), torch.tensor([4, 2])).shape)
