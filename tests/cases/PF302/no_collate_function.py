"""A collate function places all tensors of a batch, or those that the CPU does not need."""
import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
data = [(1, "a b c"), (0, "d e")] * 8
vocab = {c: i for i, c in enumerate("abcde")}


def collate_batch(batch):
    labels, texts = [], []
    for label, text in batch:
        labels.append(label)
        texts.append(torch.tensor([vocab[t] for t in text.split()], dtype=torch.int64))
    labels = torch.tensor(labels, dtype=torch.int64)
    return labels.to(device), pad_sequence(texts, batch_first=True).to(device)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(5, 8)
        self.fc = nn.Linear(8, 2)

    def forward(self, x):
        return self.fc(self.emb(x).mean(1))


model = Net().to(device)
loader = DataLoader(data, batch_size=4, shuffle=True, collate_fn=collate_batch)
crit = nn.CrossEntropyLoss()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for label, text in loader:
    opt.zero_grad()
    loss = crit(model(text), label)
    loss.backward()
    opt.step()


def collate_with_lengths(batch):
    labels, texts = collate_batch(batch)
    lengths = torch.tensor([len(text) for _, text in batch])
    return {"text": texts, "label": labels, "length": lengths}


def collate_by_option(batch, where=None):
    labels, texts = collate_batch(batch)
    counts = torch.tensor([1, 2])
    return labels, texts, counts.to(where) if where is not None else counts


for batch in DataLoader(data, batch_size=4, collate_fn=collate_with_lengths):
    loss = crit(model(batch["text"]), batch["label"])
    total = batch["length"].sum()
for label, text, counts in DataLoader(data, batch_size=4, collate_fn=lambda b: collate_by_option(b, device)):
    print(model(text) / counts)
