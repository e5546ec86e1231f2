# As translation is often written: a loss over all positions, and a loader with a function that collates.
import torch
import torch.nn as nn
from torch.nn.utils import clip_grad_norm_
from torch.utils.data import DataLoader, Dataset


class Pairs(Dataset):
    def __init__(self, count):
        self.source = torch.randint(1, 10, (count, 5))
        self.target = torch.randint(1, 10, (count, 5))

    def __len__(self):
        return len(self.source)

    def __getitem__(self, index):
        return self.source[index], self.target[index]


def collate(batch):
    source, target = zip(*batch)
    return torch.stack(source), torch.stack(target)


class Seq2Seq(nn.Module):
    def __init__(self, size=10, width=8):
        super().__init__()
        self.source = nn.Embedding(size, width)
        self.target = nn.Embedding(size, width)
        self.encoder = nn.GRU(width, width, batch_first=True)
        self.decoder = nn.GRU(width, width, batch_first=True)
        self.out = nn.Linear(width, size)

    def forward(self, source, target):
        _, state = self.encoder(self.source(source))
        states, _ = self.decoder(self.target(target), state.contiguous())
        return self.out(states)


def train(model, loader, optimizer, criterion, clip, device):
    model.train()
    epoch_loss = 0
    for src, trg in loader:
        src = src.to(device)
        trg = trg.to(device)
        optimizer.zero_grad()
        output = model(src, trg[:, :-1])
        output_dim = output.shape[-1]
        output = output.reshape(-1, output_dim)
        expected = trg[:, 1:].reshape(-1)
        loss = criterion(output, expected)
        loss.backward()
        clip_grad_norm_(model.parameters(), clip)
        optimizer.step()
        epoch_loss += loss.item()
    return epoch_loss / len(loader)


def main():
    torch.manual_seed(57)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loader = DataLoader(Pairs(64), batch_size=16, shuffle=True, collate_fn=collate)
    model = Seq2Seq().to(device)
    if torch.cuda.device_count() > 1:
        model = nn.DataParallel(model)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(2):
        loss = train(model, loader, optimizer, criterion, 1.0, device)
        print(f"Epoch: {epoch + 1:02} Train Loss: {loss:.4f}")


if __name__ == "__main__":
    main()
