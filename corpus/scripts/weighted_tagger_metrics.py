"""A tagger over padded sequences: weighted loss, packed lengths, and scores that numpy gets."""
import numpy as np
import torch
import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(3)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

VOCAB, TAGS = 20, 4
tokens = torch.randint(1, VOCAB, (24, 6))
lengths = torch.randint(2, 7, (24,))
tags = tokens % TAGS
counts = torch.bincount(tags.view(-1), minlength=TAGS).float()


class Tagger(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.embed = nn.Embedding(VOCAB, width)
        self.lstm = nn.LSTM(width, width, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * width, TAGS)

    def forward(self, packed):
        h, _ = self.lstm(packed)
        h, _ = pad_packed_sequence(h, batch_first=True, total_length=6)
        return self.out(h)


net = Tagger(8).to(device)
criterion = nn.CrossEntropyLoss(weight=torch.tensor([1.0, 2.0, 0.5, 1.0]))
optimizer = torch.optim.Adam(net.parameters(), lr=0.05)
loader = DataLoader(TensorDataset(tokens, lengths, tags), batch_size=8)

for epoch in range(2):
    for x, n, y in loader:
        x, n, y = x.to(device), n.to(device), y.to(device)
        packed = pack_padded_sequence(net.embed(x), n, batch_first=True, enforce_sorted=False)
        scores = net(packed)
        loss = criterion(scores.view(-1, TAGS), y.view(-1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(epoch, round(loss.item(), 4))

hits = []
with torch.no_grad():
    for x, n, y in loader:
        x, y = x.to(device), y.to(device)
        packed = pack_padded_sequence(net.embed(x), n, batch_first=True, enforce_sorted=False)
        best = net(packed).argmax(-1)
        hits.append(best.numpy() == np.asarray(y))
print("accuracy", np.concatenate(hits).mean().round(4))
