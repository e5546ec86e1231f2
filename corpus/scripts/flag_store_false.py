from __future__ import division, print_function

import argparse

import torch
import torch.nn as nn
from torch.autograd import Variable

parser = argparse.ArgumentParser()
parser.add_argument('--hidden', type=int, default=12)
parser.add_argument('--iters', type=int, default=10)
parser.add_argument('--cpu', dest='cuda', action='store_false', help='do not use the GPU')
opts = parser.parse_args()

torch.manual_seed(1)
cuda = opts.cuda and torch.cuda.is_available()


class Elman(nn.Module):
	def __init__(self, n_in, n_hidden, n_out):
		super(Elman, self).__init__()
		self.n_hidden = n_hidden
		self.i2h = nn.Linear(n_in + n_hidden, n_hidden)
		self.h2o = nn.Linear(n_hidden, n_out)

	def forward(self, x, h):
		h = torch.tanh(self.i2h(torch.cat((x, h), 1)))
		return self.h2o(h), h

	def init_hidden(self):
		return Variable(torch.zeros(1, self.n_hidden))


rnn = Elman(5, opts.hidden, 2)
loss_function = nn.CrossEntropyLoss()
if cuda:
	rnn.cuda()
	loss_function.cuda()
optimizer = torch.optim.SGD(rnn.parameters(), lr=0.1)

sequence = torch.randn(6, 1, 5)
label = torch.LongTensor([1])
if cuda:
	sequence = sequence.cuda()
	label = label.cuda()

for it in range(opts.iters):
	hidden = rnn.init_hidden()
	if cuda:
		hidden = hidden.cuda()
	for t in range(sequence.size(0)):
		output, hidden = rnn(sequence[t], hidden)
	loss = loss_function(output, label)
	optimizer.zero_grad()
	loss.backward()
	optimizer.step()
print('loss after %d iterations: %.6f' % (opts.iters, loss.item()))
