"""A language model with the flags of its time: --cuda switches it off, the device is asked for everywhere."""
import argparse
import math

import numpy as np
import torch
import torch.nn as nn

parser = argparse.ArgumentParser(description='recurrent language model')
parser.add_argument('--model', type=str, default='LSTM', help='type of recurrent net (LSTM, GRU)')
parser.add_argument('--emsize', type=int, default=8)
parser.add_argument('--nhid', type=int, default=12)
parser.add_argument('--nlayers', type=int, default=2)
parser.add_argument('--bptt', type=int, default=6)
parser.add_argument('--lr', type=float, default=2)
parser.add_argument('--clip', type=float, default=0.25)
parser.add_argument('--alpha', type=float, default=2, help='activation regularization')
parser.add_argument('--seed', type=int, default=1111)
parser.add_argument('--cuda', action='store_false', help='use CUDA')
args = parser.parse_args()
args.tied = True

np.random.seed(args.seed)
torch.manual_seed(args.seed)
if torch.cuda.is_available():
    if not args.cuda:
        print("WARNING: You have a CUDA device, so you should probably run with --cuda")
    else:
        torch.cuda.manual_seed(args.seed)
args.cuda = args.cuda and torch.cuda.is_available()


def batchify(data, bsz, args):
    nbatch = data.size(0) // bsz
    data = data.narrow(0, 0, nbatch * bsz)
    data = data.view(bsz, -1).t().contiguous()
    if args.cuda:
        data = data.cuda()
    return data


def repackage_hidden(h):
    if isinstance(h, torch.Tensor):
        return h.detach()
    return tuple(repackage_hidden(v) for v in h)


def get_batch(source, i, args, seq_len=None):
    seq_len = min(seq_len if seq_len else args.bptt, len(source) - 1 - i)
    return source[i:i + seq_len], source[i + 1:i + 1 + seq_len].view(-1)


class RNNModel(nn.Module):
    def __init__(self, rnn_type, ntoken, ninp, nhid, nlayers):
        super(RNNModel, self).__init__()
        self.encoder = nn.Embedding(ntoken, ninp)
        self.rnns = [getattr(nn, rnn_type)(ninp if l == 0 else nhid, nhid if l != nlayers - 1 else ninp)
                     for l in range(nlayers)]
        self.rnns = nn.ModuleList(self.rnns)
        self.decoder = nn.Linear(ninp, ntoken)
        self.decoder.weight = self.encoder.weight
        self.ninp, self.nhid, self.nlayers = ninp, nhid, nlayers

    def forward(self, input, hidden):
        raw_output = self.encoder(input)
        new_hidden = []
        for l, rnn in enumerate(self.rnns):
            raw_output, new_h = rnn(raw_output, hidden[l])
            new_hidden.append(new_h)
        return self.decoder(raw_output), new_hidden, raw_output

    def init_hidden(self, bsz):
        weight = next(self.parameters()).data
        return [(weight.new(1, bsz, self.nhid if l != self.nlayers - 1 else self.ninp).zero_(),
                 weight.new(1, bsz, self.nhid if l != self.nlayers - 1 else self.ninp).zero_())
                for l in range(self.nlayers)]


corpus = torch.from_numpy(np.random.randint(0, 20, 400))
train_data = batchify(corpus[:300], 4, args)
val_data = batchify(corpus[300:], 2, args)

criterion = nn.CrossEntropyLoss()
model = RNNModel(args.model, 20, args.emsize, args.nhid, args.nlayers)
if args.cuda:
    model = model.cuda()
    criterion = criterion.cuda()
params = list(model.parameters()) + list(criterion.parameters())
total_params = sum(x.size()[0] * x.size()[1] if len(x.size()) > 1 else x.size()[0] for x in params if x.size())
print('Model total parameters:', total_params)


def evaluate(data_source, batch_size=2):
    model.eval()
    total_loss = 0
    hidden = model.init_hidden(batch_size)
    for i in range(0, data_source.size(0) - 1, args.bptt):
        data, targets = get_batch(data_source, i, args)
        output, hidden, _ = model(data, hidden)
        total_loss += len(data) * criterion(output.view(-1, 20), targets).data
        hidden = repackage_hidden(hidden)
    return total_loss.item() / len(data_source)


def train():
    total_loss = 0
    hidden = model.init_hidden(4)
    batch, i = 0, 0
    while i < train_data.size(0) - 1 - 1:
        bptt = args.bptt if np.random.random() < 0.95 else args.bptt / 2.
        seq_len = max(3, int(np.random.normal(bptt, 1)))
        model.train()
        data, targets = get_batch(train_data, i, args, seq_len=seq_len)
        hidden = repackage_hidden(hidden)
        optimizer.zero_grad()
        output, hidden, raw = model(data, hidden)
        loss = criterion(output.view(-1, 20), targets) + args.alpha * raw.pow(2).mean()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(params, args.clip)
        optimizer.step()
        total_loss += loss.data
        batch += 1
        i += seq_len
    return total_loss.item() / batch


optimizer = torch.optim.SGD(params, lr=args.lr, weight_decay=1e-6)
for epoch in range(1, 3):
    loss = train()
    val_loss = evaluate(val_data)
    print('end of epoch {:3d} | train {:5.4f} | valid loss {:5.4f} | valid ppl {:8.4f}'.format(
        epoch, loss, val_loss, math.exp(val_loss)))
