"""torchtext-like iterator that is given the device and yields placed batches with attributes."""
import torch
from torch import nn


class BucketIterator:
    def __init__(self, examples, batch_size, device):
        self.examples = sorted(examples, key=len)
        self.batch_size = batch_size
        self.device = device

    def __iter__(self):
        for i in range(0, len(self.examples), self.batch_size):
            rows = self.examples[i:i + self.batch_size]
            width = max(map(len, rows))
            padded = [row + [0] * (width - len(row)) for row in rows]
            yield Example(torch.tensor(padded, device=self.device),
                          torch.tensor([len(row) % 2 for row in rows], device=self.device))


class Example:
    def __init__(self, text, label):
        self.text = text
        self.label = label


torch.manual_seed(146)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
train_iter = BucketIterator([[1 + (i * j) % 9 for j in range(3 + i % 4)] for i in range(24)], 6, device)

model = nn.Sequential(nn.EmbeddingBag(10, 8), nn.Linear(8, 2)).to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
for epoch in range(2):
    for batch in train_iter:
        loss = nn.functional.cross_entropy(model(batch.text), batch.label)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(epoch, round(loss.item(), 5))
