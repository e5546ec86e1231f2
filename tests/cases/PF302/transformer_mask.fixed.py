import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)


def subsequent_mask(size):
    mask = torch.triu(torch.ones(size, size), diagonal=1).to(device)  # want: PF302
    return mask.bool()


class Decoder(nn.Module):
    def __init__(self, vocab, width):
        super().__init__()
        self.embed = nn.Embedding(vocab, width)
        self.attn = nn.MultiheadAttention(width, 2, batch_first=True)
        self.out = nn.Linear(width, vocab)

    def forward(self, tokens, mask):
        h = self.embed(tokens)
        h, _ = self.attn(h, h, h, attn_mask=mask)
        return self.out(h)


model = Decoder(11, 8)
model = model.to(device)
tokens = torch.randint(0, 11, (2, 5)).to(device)  # want: PF302
mask = subsequent_mask(5)
with torch.no_grad():
    print(model(tokens, mask).shape)

generated = torch.zeros(1, 1, dtype=torch.long, device=device)  # want: PF302
for _ in range(3):
    logits = model(generated, subsequent_mask(generated.size(1)))
    generated = torch.cat([generated, logits[:, -1:].argmax(-1)], dim=1)
print(generated.shape)
