# The lengths that are packed were not moved, or were moved back.
# run: pack(torch.ones(2, 3, 4), torch.tensor([3, 2])); back(torch.ones(2, 3, 4), torch.tensor([3, 2]))
import torch
from torch.nn.utils.rnn import pack_padded_sequence

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def pack(x, lengths):
    there = lengths.to(device)
    return pack_padded_sequence(x.to(device), lengths, batch_first=True), there


def back(x, lengths):
    lengths = lengths.to(device)
    lengths = lengths.to("cpu")
    return pack_padded_sequence(x.to(device), lengths, batch_first=True)
