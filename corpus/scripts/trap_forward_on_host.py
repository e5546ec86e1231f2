"""What forward makes here may stay on the CPU, or is where it should be."""
import torch
import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class Reader(nn.Module):
    def __init__(self, vocab=19, width=12):
        super().__init__()
        self.width = width
        self.embed = nn.Embedding(vocab, width)
        self.gru = nn.GRU(width, width, batch_first=True)
        self.register_buffer("rates", torch.linspace(0.0, 1.0, width), persistent=False)
        self.scale = torch.tensor(0.5)
        self.head = nn.Linear(width, 2)

    def first_state(self, batch):
        return next(self.parameters()).new_zeros(1, batch, self.width)

    def forward(self, tokens, lengths):
        x = self.embed(tokens) * self.scale + self.rates
        order = torch.arange(tokens.size(0) - 1, -1, -1)
        x, lengths = x[order], lengths[order]
        packed = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
        out, _ = self.gru(packed, self.first_state(tokens.size(0)))
        out, _ = pad_packed_sequence(out, batch_first=True)
        longest = torch.full((1,), out.size(1)).item()
        return self.head(out.sum(1) / longest) + torch.zeros(2, device=out.device)


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(0)
model = Reader().to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
tokens = torch.randint(1, 19, (32, 7))
lengths = torch.randint(2, 8, (32,))
labels = (tokens[:, 0] > 9).long()

for epoch in range(3):
    for start in range(0, 32, 8):
        part = slice(start, start + 8)
        logits = model(tokens[part].to(device), lengths[part])
        loss = nn.functional.cross_entropy(logits, labels[part].to(device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch} loss {loss.item():.4f}")
