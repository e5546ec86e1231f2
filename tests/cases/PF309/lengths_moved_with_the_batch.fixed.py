import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(0)


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(10, 4)
        self.rnn = nn.GRU(4, 4, batch_first=True)

    def forward(self, tokens, lengths: torch.Tensor):
        lengths = lengths.to(device)
        packed = pack_padded_sequence(
            self.embed(tokens), lengths.cpu(), batch_first=True
        )  # want: PF309
        out, _ = self.rnn(packed)
        out, _ = pad_packed_sequence(out, batch_first=True)
        mask = torch.arange(out.size(1), device=tokens.device)[None] < lengths[:, None]
        return out * mask[..., None]


net = Tagger().to(device)
tokens = torch.randint(0, 10, (2, 5)).to(device)
lengths = torch.tensor([5, 3]).to(device)
print(round(net(tokens, lengths).sum().item(), 4))
rnn = nn.LSTM(3, 2).to(device)
x = torch.randn(5, 2, 3).to(device)
packed = nn.utils.rnn.pack_padded_sequence(
    x, lengths=lengths.cpu(), enforce_sorted=False
)  # want: PF309
print(round(rnn(packed)[0].data.sum().item(), 4))
