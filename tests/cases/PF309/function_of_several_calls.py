"""A function packs by a parameter: one call gives it lengths on a device, another one a list, which has no `.cpu()`."""
# after: unsafe
import torch
from torch.nn.utils.rnn import pack_padded_sequence

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def packed(x, n):
    return pack_padded_sequence(x, n, batch_first=True).data  # want: PF309 unsafe


def packed_once(x, n):
    return pack_padded_sequence(x, n, batch_first=True).data  # want: PF309


lengths = torch.tensor([3, 2]).to(device)
print(packed(torch.ones(2, 3).to(device), lengths).sum())
print(packed(torch.ones(2, 3), torch.tensor([3, 1])).sum())
print(packed_once(torch.ones(2, 3).to(device), lengths).sum())
