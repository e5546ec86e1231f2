"""What a module returns beside its output is a list of numbers."""
import torch
import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 5)

    def forward(self, x, lengths):
        lengths, order = lengths.sort(dim=0, descending=True)
        return self.fc(x[order]), (lengths - 1).tolist()


decoder = Decoder().to(device)
x = torch.ones(2, 4, 3).to(device)
lengths = torch.tensor([4, 3]).to(device)
scores, lengths = decoder(x, lengths)
scores = pack_padded_sequence(scores, lengths, batch_first=True).data
print(scores.shape)
