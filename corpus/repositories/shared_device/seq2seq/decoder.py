from torch import nn


class Decoder(nn.Module):
    def __init__(self, n_tokens, n_hidden):
        super().__init__()
        self.embedding = nn.Embedding(n_tokens, n_hidden)
        self.cell = nn.GRUCell(n_hidden, n_hidden)
        self.out = nn.Linear(n_hidden, n_tokens)

    def forward(self, token, hidden):
        hidden = self.cell(self.embedding(token), hidden)
        return self.out(hidden), hidden
