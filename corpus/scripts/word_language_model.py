# coding: utf-8
"""RNN language model with truncated backpropagation and a hidden state placed by hand."""
import argparse
import math

import torch
import torch.nn as nn

parser = argparse.ArgumentParser(description='LSTM language model')
parser.add_argument('--emsize', type=int, default=12)
parser.add_argument('--nhid', type=int, default=12)
parser.add_argument('--bptt', type=int, default=5)
parser.add_argument('--epochs', type=int, default=2)
parser.add_argument('--cuda', action='store_true', help='use CUDA')
args = parser.parse_args()

torch.manual_seed(1111)
if torch.cuda.is_available():
    if not args.cuda:
        print("WARNING: You have a CUDA device, so you should probably run with --cuda")

NTOKENS = 25


class RNNModel(nn.Module):
    def __init__(self, ntoken, ninp, nhid):
        super(RNNModel, self).__init__()
        self.encoder = nn.Embedding(ntoken, ninp)
        self.rnn = nn.LSTM(ninp, nhid)
        self.decoder = nn.Linear(nhid, ntoken)
        self.nhid = nhid

    def forward(self, input, hidden):
        output, hidden = self.rnn(self.encoder(input), hidden)
        return self.decoder(output), hidden

    def init_hidden(self, bsz):
        weight = next(self.parameters())
        return weight.new_zeros(1, bsz, self.nhid), weight.new_zeros(1, bsz, self.nhid)


def batchify(data, bsz):
    nbatch = data.size(0) // bsz
    data = data[:nbatch * bsz].view(bsz, -1).t().contiguous()
    if args.cuda:
        data = data.cuda()
    return data


def repackage_hidden(h):
    return tuple(v.detach() for v in h)


train_data = batchify(torch.randint(0, NTOKENS, (240,)), 4)
model = RNNModel(NTOKENS, args.emsize, args.nhid)
if args.cuda:
    model.cuda()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=1.0)

for epoch in range(1, args.epochs + 1):
    hidden = model.init_hidden(4)
    total = 0.
    for i in range(0, train_data.size(0) - 1, args.bptt):
        seq_len = min(args.bptt, len(train_data) - 1 - i)
        data, targets = train_data[i:i + seq_len], train_data[i + 1:i + 1 + seq_len].reshape(-1)
        hidden = repackage_hidden(hidden)
        model.zero_grad()
        output, hidden = model(data, hidden)
        loss = criterion(output.view(-1, NTOKENS), targets)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 0.25)
        optimizer.step()
        total += loss.item() * len(data)
    print('| epoch {:3d} | loss {:5.3f} | ppl {:8.3f}'.format(
        epoch, total / len(train_data), math.exp(total / len(train_data))))
