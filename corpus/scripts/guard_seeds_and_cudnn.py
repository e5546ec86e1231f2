"""An awd-lstm kind of script: the guards also seed, choose cudnn's kernels and log."""
import argparse
import math

import torch
import torch.nn as nn

parser = argparse.ArgumentParser(description='Language model')
parser.add_argument('--cuda', action='store_false', help='do not use CUDA')
parser.add_argument('--seed', type=int, default=1111)
parser.add_argument('--epochs', type=int, default=3)
parser.add_argument('--bptt', type=int, default=5)
args = parser.parse_args()
args.tied = True

torch.manual_seed(args.seed)
if torch.cuda.is_available():
    if not args.cuda:
        print("WARNING: You have a CUDA device, so you should probably run without --cuda")
    else:
        torch.cuda.manual_seed(args.seed)
args.cuda = args.cuda and torch.cuda.is_available()

NTOKENS, NHID = 17, 8


class RNNModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Embedding(NTOKENS, NHID)
        self.rnn = nn.LSTM(NHID, NHID)
        self.decoder = nn.Linear(NHID, NTOKENS)
        if args.tied:
            self.decoder.weight = self.encoder.weight

    def forward(self, tokens, hidden):
        output, hidden = self.rnn(self.encoder(tokens), hidden)
        return self.decoder(output), hidden

    def init_hidden(self, bsz):
        weight = next(self.parameters()).data
        return weight.new(1, bsz, NHID).zero_(), weight.new(1, bsz, NHID).zero_()


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


train_data = batchify(torch.randint(0, NTOKENS, (121,)), 4, args)
model = RNNModel()
criterion = nn.CrossEntropyLoss()
if args.cuda:
    model = model.cuda()
    criterion = criterion.cuda()
    torch.backends.cudnn.benchmark = True
    print('training on the GPU')

params = list(model.parameters()) + list(criterion.parameters())
optimizer = torch.optim.SGD(params, lr=0.5, weight_decay=1.2e-6)
for epoch in range(1, args.epochs + 1):
    total, hidden = 0., model.init_hidden(4)
    for i in range(0, train_data.size(0) - 1, args.bptt):
        seq_len = min(args.bptt, len(train_data) - 1 - i)
        data, targets = train_data[i:i + seq_len], train_data[i + 1:i + 1 + seq_len].view(-1)
        hidden = repackage_hidden(hidden)
        optimizer.zero_grad()
        output, hidden = model(data, hidden)
        loss = criterion(output.view(-1, NTOKENS), targets)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(params, 0.25)
        optimizer.step()
        total += loss.item() * len(data)
    print('epoch {:d} loss {:.4f} ppl {:.3f}'.format(epoch, total / len(train_data), math.exp(total / len(train_data))))
