# rules: PF301, PF302
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class CharModel(nn.Module):
    def __init__(self, vocab, hidden):
        super().__init__()
        self.hidden = hidden
        self.embed = nn.Embedding(vocab, hidden)
        self.gru = nn.GRU(hidden, hidden, batch_first=True)
        self.out = nn.Linear(hidden, vocab)

    def forward(self, tokens, hidden):
        output, hidden = self.gru(self.embed(tokens), hidden)
        return self.out(output), hidden

    def init_hidden(self, batch_size):
        return torch.zeros(1, batch_size, self.hidden)


device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(3)
tokens = torch.randint(0, 12, (30, 7))
loader = DataLoader(TensorDataset(tokens[:, :-1], tokens[:, 1:]), batch_size=6)
net = CharModel(12, 16).to(device)
loss_fn = nn.CrossEntropyLoss()
opt = torch.optim.Adam(net.parameters())

for epoch in range(2):
    for x, y in loader:  # want: PF301
        x = x.to(device)
        y = y.to(device)
        h = net.init_hidden(x.size(0)).to(device)  # want: PF302
        logits, h = net(x, h)
        loss = loss_fn(logits.reshape(-1, 12), y.reshape(-1))
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(f"{loss.item():.4f}")
