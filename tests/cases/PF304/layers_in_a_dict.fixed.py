# The layers of a literal ModuleDict are layers of the model, as in GPT models.
# run: device = "cuda" if torch.cuda.is_available() else "cpu"; print(GPT().to(device)(torch.zeros(2, 5, dtype=torch.long).to(device)).shape)
import torch
from torch import nn


class GPT(nn.Module):
    def __init__(self, vocab=10, size=8):
        super().__init__()
        self.transformer = nn.ModuleDict(
            dict(
                wte=nn.Embedding(vocab, size),
                wpe=nn.Embedding(16, size),
                h=nn.ModuleList([nn.Linear(size, size) for _ in range(2)]),
            )
        )
        self.heads = nn.ModuleDict({"words": nn.Linear(size, vocab)})

    def forward(self, idx):
        pos = torch.arange(idx.size(1), device=idx.device)  # want: PF304
        x = self.transformer.wte(idx) + self.transformer.wpe(pos)
        for block in self.transformer.h:
            x = block(x)
        return self.heads.words(x)
