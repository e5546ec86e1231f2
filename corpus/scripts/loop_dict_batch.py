"""Sequence classification with dict batches, the way tokenised datasets deliver them."""

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class TokenDataset(Dataset):
    def __init__(self, size: int, length: int = 6, vocab: int = 30) -> None:
        generator = torch.Generator().manual_seed(17)
        self.tokens = torch.randint(1, vocab, (size, length), generator=generator)
        self.mask = torch.ones(size, length)
        self.labels = (self.tokens.sum(1) % 2).long()

    def __len__(self) -> int:
        return len(self.labels)

    def __getitem__(self, i: int) -> dict:
        return {"input_ids": self.tokens[i], "attention_mask": self.mask[i], "labels": self.labels[i]}


class MeanPool(nn.Module):
    def __init__(self, vocab: int = 30, dim: int = 12) -> None:
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.classify = nn.Linear(dim, 2)

    def forward(self, input_ids, attention_mask):
        h = self.embed(input_ids) * attention_mask.unsqueeze(-1)
        return self.classify(h.sum(1) / attention_mask.sum(1, keepdim=True))


def main() -> None:
    torch.manual_seed(17)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loader = DataLoader(TokenDataset(48), batch_size=16)
    model = MeanPool().to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    loss_fn = nn.CrossEntropyLoss()

    model.train()
    for epoch in range(3):
        for step, batch in enumerate(loader):
            logits = model(batch["input_ids"], batch["attention_mask"])
            loss = loss_fn(logits, batch["labels"])
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
        print(f"epoch {epoch} step {step} loss {loss.item():.5f}")


if __name__ == "__main__":
    main()
