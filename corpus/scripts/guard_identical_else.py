# Character level language model, 2017 style: Variables and a guard with both arms spelled out.
import torch
import torch.nn as nn
from torch.autograd import Variable

torch.manual_seed(4)
use_cuda = torch.cuda.is_available()

text = "hello world, hello torch. "
chars = sorted(set(text))
encode = dict((c, i) for i, c in enumerate(chars))


class CharRNN(nn.Module):
    def __init__(self, n_chars, hidden):
        super(CharRNN, self).__init__()
        self.embed = nn.Embedding(n_chars, hidden)
        self.rnn = nn.GRU(hidden, hidden)
        self.decode = nn.Linear(hidden, n_chars)

    def forward(self, seq):
        out, _ = self.rnn(self.embed(seq).unsqueeze(1))
        return self.decode(out.squeeze(1))


def get_sample():
    ids = torch.LongTensor([encode[c] for c in text])
    inp, target = ids[:-1], ids[1:]
    if use_cuda:
        inp = Variable(inp.cuda())
        target = Variable(target.cuda())
    else:
        inp = Variable(inp)
        target = Variable(target)
    return inp, target


model = CharRNN(len(chars), 16)
if use_cuda:
    model = model.cuda()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)

for epoch in range(12):
    inp, target = get_sample()
    optimizer.zero_grad()
    loss = criterion(model(inp), target)
    loss.backward()
    optimizer.step()
    if epoch % 4 == 0:
        print('epoch %d loss %.4f' % (epoch, loss.item()))
