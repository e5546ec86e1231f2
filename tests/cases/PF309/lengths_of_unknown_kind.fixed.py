# Lengths of unknown kind that are moved: only a tensor can be moved and be the lengths of a packed sequence.
# run: pack(torch.ones(2, 3, 4), torch.tensor([3, 2]))
import torch
from torch.nn.utils.rnn import pack_padded_sequence

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def pack(x, lengths):
    x, lengths = x.to(device), lengths.to(device)
    return pack_padded_sequence(x, lengths.cpu(), batch_first=True)  # want: PF309
