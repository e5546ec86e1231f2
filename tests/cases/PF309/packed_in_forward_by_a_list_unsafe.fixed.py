# options: unsafe
import torch
import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(4, 6, batch_first=True)

    def forward(self, x, lengths):
        return self.rnn(pack_padded_sequence(x, lengths.cpu(), batch_first=True))[1][-1]  # want: PF309 unsafe


torch.manual_seed(2)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = Tagger().to(device)


def run(x, sizes):
    return model(x.to(device), sizes)


x = torch.randn(2, 5, 4).to(device)
lengths = torch.tensor([5, 3]).to(device)
print(f"{model(x, lengths=lengths).sum().item():.4f}")
