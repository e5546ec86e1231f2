# rules: PF301, PF302
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset


class SeqData(Dataset):
    def __init__(self, n=20):
        self.x = [list(range(i % 5 + 1, i % 5 + 6)) for i in range(n)]

    def __getitem__(self, idx):
        seq = torch.tensor(self.x[idx])
        return seq[:-1], seq[1:]

    def __len__(self):
        return len(self.x)


class LM(nn.Module):
    def __init__(self):
        super(LM, self).__init__()
        self.emb = nn.Embedding(12, 8)
        self.rnn = nn.LSTM(8, 8, batch_first=True)
        self.fc = nn.Linear(8, 12)

    def forward(self, x, prev_state):
        out, state = self.rnn(self.emb(x), prev_state)
        return self.fc(out), state

    def init_state(self, bs):
        return (torch.zeros(1, bs, 8), torch.zeros(1, bs, 8))


def train(dataset, model, args_bs, device):
    model.train()
    loader = DataLoader(dataset, batch_size=args_bs)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.001)
    for epoch in range(2):
        state_h, state_c = model.init_state(args_bs)
        for batch, (x, y) in enumerate(loader):  # want: PF301
            x = x.to(device)
            y = y.to(device)
            optimizer.zero_grad()
            y_pred, (state_h, state_c) = model(
                x, (state_h.to(device), state_c.to(device))
            )  # want: PF302
            loss = criterion(y_pred.transpose(1, 2), y)
            state_h = state_h.detach()
            state_c = state_c.detach()
            loss.backward()
            optimizer.step()
        print(round(loss.item(), 3))


def predict(dataset, model, words, steps=3):
    model.eval()
    state_h, state_c = model.init_state(1)
    for i in range(steps):
        x = torch.tensor([words[i:]], device=device)  # want: PF302
        y_pred, (state_h, state_c) = model(x, (state_h.to(device), state_c.to(device)))  # want: PF302
        p = torch.nn.functional.softmax(y_pred[0][-1], dim=0).detach().cpu().numpy()
        words.append(int(p.argmax()))
    return len(words)


torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
dataset = SeqData()
model = LM().to(device)
train(dataset, model, 5, device)
print(predict(dataset, model, [1, 2, 3]))
