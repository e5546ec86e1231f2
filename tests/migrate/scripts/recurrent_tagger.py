# A recurrent network with the batch first.
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(12, 6)
        self.rnn = nn.GRU(6, 8, batch_first=True)
        self.head = nn.Linear(8, 3)

    def forward(self, tokens):
        states, _ = self.rnn(self.embedding(tokens))
        return self.head(states)


def main():
    torch.manual_seed(30)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loader = DataLoader(TensorDataset(torch.randint(0, 12, (48, 5)), torch.randint(0, 3, (48, 5))), batch_size=8, shuffle=True)
    model = Tagger().to(device)
    if torch.cuda.device_count() > 1:
        model = nn.DataParallel(model)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    for epoch in range(2):
        for tokens, tags in loader:
            tokens, tags = tokens.to(device), tags.to(device)
            logits = model(tokens)
            loss = criterion(logits.view(-1, 3), tags.view(-1))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print("epoch", epoch, loss.item())


if __name__ == "__main__":
    main()
