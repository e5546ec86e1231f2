"""Hidden states made for each sequence: on CUDA outright, as a pair and one at a time."""
import torch
import torch.nn as nn
from torch.autograd import Variable

torch.manual_seed(7)


class Encoder(nn.Module):
    def __init__(self, n_tokens, n_hidden):
        super(Encoder, self).__init__()
        self.n_hidden = n_hidden
        self.embedding = nn.Embedding(n_tokens, n_hidden)
        self.lstm = nn.LSTM(n_hidden, n_hidden)

    def init_hidden(self, batch):
        return (Variable(torch.zeros(1, batch, self.n_hidden)).cuda(),
                Variable(torch.zeros(1, batch, self.n_hidden)).cuda())

    def forward(self, tokens):
        return self.lstm(self.embedding(tokens), self.init_hidden(tokens.size(1)))


class Decoder(nn.Module):
    def __init__(self, n_tokens, n_hidden):
        super(Decoder, self).__init__()
        self.embedding = nn.Embedding(n_tokens, n_hidden)
        self.cell = nn.RNNCell(n_hidden, n_hidden)
        self.out = nn.Linear(n_hidden, n_tokens)

    def forward(self, tokens, hidden):
        hidden = self.cell(self.embedding(tokens), hidden)
        return self.out(hidden), hidden


encoder, decoder = Encoder(9, 6).cuda(), Decoder(9, 6).cuda()
criterion = nn.CrossEntropyLoss().cuda()
optimizer = torch.optim.SGD(list(encoder.parameters()) + list(decoder.parameters()), lr=0.05)

source = Variable(torch.randint(0, 9, (5, 3))).cuda()
target = torch.randint(0, 9, (4, 3)).cuda()
for step in range(3):
    _, (hidden, _) = encoder(source)
    hidden = hidden.squeeze(0)
    token = Variable(torch.zeros(3).long().cuda())
    loss = 0
    for t in range(target.size(0)):
        output, hidden = decoder(token, hidden)
        loss = loss + criterion(output, target[t])
        token = target[t]
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print('step %d loss %.5f' % (step, loss.item()))
