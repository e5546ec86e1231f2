"""A collate function of the file places one tensor of a batch, and another one stays on the CPU."""
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
    return labels, pad_sequence(texts, batch_first=True).to(device)


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
    loss = crit(model(text), label)  # want: PF302
    loss.backward()
    opt.step()
