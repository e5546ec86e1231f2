# rules: all
# options: add-placement
import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class CharRNN(nn.Module):
    def __init__(self, vocab, hidden):
        super().__init__()
        self.hidden = hidden
        self.embed = nn.Embedding(vocab, hidden)
        self.rnn = nn.GRU(hidden, hidden, batch_first=True)
        self.out = nn.Linear(hidden, vocab)

    def forward(self, x, h):
        y, h = self.rnn(self.embed(x), h)
        return self.out(y), h

    def init_hidden(self, batch):
        return torch.zeros(1, batch, self.hidden)


def main():
    torch.manual_seed(0)
    text = torch.randint(0, 12, (4, 40))
    model = CharRNN(12, 16).to(device)  # want: PF501
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    criterion = nn.CrossEntropyLoss()
    hidden = model.init_hidden(4)
    for step in range(3):
        x = text[:, step * 10 : step * 10 + 10].to(device)
        y = text[:, step * 10 + 1 : step * 10 + 11].to(device)
        hidden = hidden.detach().to(device)
        out, hidden = model(x, hidden)
        loss = criterion(out.reshape(-1, 12), y.reshape(-1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(step, loss.item())


if __name__ == "__main__":
    main()
