import io

import torch
from torch import nn


class TinyGPT(nn.Module):
    def __init__(self, vocab=20, dim=16, block=8):
        super().__init__()
        self.tok = nn.Embedding(vocab, dim)
        self.pos = nn.Parameter(torch.zeros(block, dim))
        self.ff = nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, dim), nn.GELU())
        self.head = nn.Linear(dim, vocab)

    def forward(self, idx):
        x = self.tok(idx) + self.pos[: idx.shape[1]]
        return self.head(x + self.ff(x))


def get_batch(data, block, batch):
    starts = torch.arange(batch) * 3
    x = torch.stack([data[i : i + block] for i in starts]).to("cuda")
    y = torch.stack([data[i + 1 : i + 1 + block] for i in starts]).to("cuda")
    return x, y


def main():
    torch.manual_seed(1337)
    data = torch.randint(0, 20, (64,))
    model = TinyGPT().to("cuda")
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    scale = torch.tensor([1.0], device="cuda")
    for step in range(6):
        x, y = get_batch(data, 8, 4)
        logits = model(x)
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), y.flatten()) * scale
        optimizer.zero_grad(set_to_none=True)
        loss.sum().backward()
        optimizer.step()
        if step % 2 == 1:
            print(f"step {step}: loss {loss.item():.4f}")
    buffer = io.BytesIO()
    torch.save(model.state_dict(), buffer)
    buffer.seek(0)
    state = torch.load(buffer, map_location="cuda")
    model.load_state_dict(state)
    print("restored", len(state), "tensors")


if __name__ == "__main__":
    main()
