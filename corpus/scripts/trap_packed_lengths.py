import torch
import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence
from torch.utils.data import DataLoader

torch.manual_seed(8)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

sequences = [(torch.randn(n, 3), n % 2) for n in (5, 3, 7, 2, 6, 4, 4, 3)]


def collate(samples):
    samples = sorted(samples, key=lambda s: len(s[0]), reverse=True)
    lengths = torch.tensor([len(s) for s, _ in samples])
    return pad_sequence([s for s, _ in samples], batch_first=True), lengths, torch.tensor([t for _, t in samples])


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(3, 10, batch_first=True)
        self.out = nn.Linear(10, 2)

    def forward(self, x, lengths):
        packed = pack_padded_sequence(x, lengths, batch_first=True)
        _, (h, _) = self.lstm(packed)
        return self.out(h[-1])


loader = DataLoader(sequences, batch_size=4, collate_fn=collate)
model = Classifier().to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
criterion = nn.CrossEntropyLoss()

for epoch in range(3):
    for x, lengths, target in loader:
        x, target = x.to(device), target.to(device)
        loss = criterion(model(x, lengths), target)  # lengths stay on the host
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(epoch, round(loss.item(), 5))
