# options: unsafe
# The lengths of a batch go to a part of the module, whose class is seen or not: they may have to stay on the CPU. The tokens are moved.
# Nothing that `translate` moves is an input of `forward`.
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(10, 4)
        self.rnn = nn.GRU(4, 4, batch_first=True)

    def forward(self, tokens, lengths):
        packed = pack_padded_sequence(self.embedding(tokens), lengths, batch_first=True, enforce_sorted=False)
        return self.rnn(packed)[1][0]


class Given(nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder
        self.out = nn.Linear(4, 3)

    def forward(self, tokens, lengths):
        return self.out(self.encoder(tokens, lengths))

    def translate(self, sentence, device):
        tokens = torch.tensor(sentence).unsqueeze(0).to(device)
        return self(tokens, torch.tensor([len(sentence)]))


class Made(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = Encoder()
        self.out = nn.Linear(4, 3)

    def forward(self, tokens, lengths):
        return self.out(self.encoder(tokens, lengths))


def collate(batch):
    lengths = torch.tensor([len(tokens) for tokens, _ in batch])
    tokens = nn.utils.rnn.pad_sequence([tokens for tokens, _ in batch], batch_first=True)
    return tokens, lengths, torch.tensor([label for _, label in batch])


def train(model, loader, device):
    criterion = nn.CrossEntropyLoss()
    for tokens, lengths, labels in loader:  # want: PF301 unsafe, warning
        tokens = tokens.to(device)
        labels = labels.to(device)
        loss = criterion(model(tokens, lengths), labels)
        loss.backward()


def main():
    torch.manual_seed(0)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    data = [(torch.arange(1, 3 + i % 3), i % 3) for i in range(8)]
    loader = torch.utils.data.DataLoader(data, batch_size=4, collate_fn=collate)
    train(Given(Encoder()).to(device), loader, device)
    train(Made().to(device), loader, device)


main()
