"""A small language model: positions, mask and first state are made in forward, on the CPU."""
import torch
import torch.nn as nn
import torch.nn.functional as F


def attention_mask(tokens, padding=0):
    length = tokens.size(1)
    causal = torch.ones(length, length).tril().bool()
    return causal.unsqueeze(0) & (tokens != padding).unsqueeze(1)


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.query = nn.Linear(width, width)
        self.key = nn.Linear(width, width)
        self.value = nn.Linear(width, width)
        self.norm = nn.LayerNorm(width)

    def forward(self, x, mask):
        scores = self.query(x) @ self.key(x).transpose(1, 2) / x.size(-1) ** 0.5
        noise = torch.rand(x.size(1), x.size(1)) * 0.01
        scores = (scores + noise).masked_fill(~mask, -1e9)
        return self.norm(x + F.softmax(scores, dim=-1) @ self.value(x))


class Model(nn.Module):
    def __init__(self, vocab=23, width=16, length=12):
        super().__init__()
        self.width = width
        self.tokens = nn.Embedding(vocab, width)
        self.positions = nn.Embedding(length, width)
        self.block = Block(width)
        self.gru = nn.GRU(width, width, batch_first=True)
        self.head = nn.Linear(width, vocab)

    def forward(self, tokens):
        steps = torch.arange(tokens.size(1))
        x = self.tokens(tokens) + self.positions(steps)
        x = self.block(x, attention_mask(tokens))
        state = torch.zeros(1, tokens.size(0), self.width)
        out, _ = self.gru(x, state)
        return self.head(out)


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(0)
model = Model().to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
data = torch.randint(1, 23, (64, 9))

for epoch in range(3):
    for start in range(0, 64, 16):
        tokens = data[start:start + 16].to(device)
        logits = model(tokens[:, :-1])
        loss = F.cross_entropy(logits.reshape(-1, 23), tokens[:, 1:].reshape(-1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch} loss {loss.item():.4f}")
