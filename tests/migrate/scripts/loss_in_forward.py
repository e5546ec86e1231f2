import argparse, math, os, time
import torch
import torch.nn as nn
from torch.utils.data import Dataset, DataLoader


class TextDataset(Dataset):
    def __init__(self, tokens, block):
        self.tokens, self.block = tokens, block

    def __len__(self):
        return (len(self.tokens) - 1) // self.block

    def __getitem__(self, i):
        s = i * self.block
        return self.tokens[s:s + self.block], self.tokens[s + 1:s + self.block + 1]


class GPT(nn.Module):
    def __init__(self, vocab, d, block):
        super().__init__()
        self.tok = nn.Embedding(vocab, d)
        self.pos = nn.Parameter(torch.zeros(1, block, d))
        layer = nn.TransformerEncoderLayer(d, 2, 2 * d, dropout=0.0, batch_first=True)
        self.blocks = nn.TransformerEncoder(layer, 1)
        self.ln = nn.LayerNorm(d)
        self.head = nn.Linear(d, vocab, bias=False)

    def forward(self, idx, targets=None):
        b, t = idx.shape
        x = self.tok(idx) + self.pos[:, :t]
        mask = torch.triu(torch.full((t, t), float('-inf'), device=idx.device), 1)
        logits = self.head(self.ln(self.blocks(x, mask)))
        loss = None
        if targets is not None:
            loss = nn.functional.cross_entropy(logits.view(-1, logits.size(-1)), targets.reshape(-1))
        return logits, loss


def main():
    p = argparse.ArgumentParser()
    p.add_argument('--epochs', type=int, default=2)
    p.add_argument('--block', type=int, default=8)
    p.add_argument('--save', default='gpt.pt')
    a = p.parse_args()
    torch.manual_seed(0)
    device = 'cuda' if torch.cuda.is_available() else 'cpu'
    data = torch.randint(0, 30, (96 * 8 + 1,))
    loader = DataLoader(TextDataset(data, a.block), batch_size=16, shuffle=True)
    model = GPT(30, 16, a.block).to(device)
    if device == 'cuda':
        model = torch.nn.DataParallel(model)
    raw_model = model.module if hasattr(model, 'module') else model
    opt = torch.optim.AdamW(model.parameters(), lr=3e-4)
    for epoch in range(a.epochs):
        losses = []
        t0 = time.time()
        for it, (x, y) in enumerate(loader):
            x, y = x.to(device), y.to(device)
            logits, loss = model(x, y)
            loss = loss.mean()  # collapse all losses if they are scattered on multiple gpus
            losses.append(loss.item())
            model.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
        mean = sum(losses) / len(losses)
        print(f'epoch {epoch} loss {mean:.4f} ppl {math.exp(mean):.3f}')
    torch.save(raw_model.state_dict(), a.save)


if __name__ == '__main__':
    main()
