"""Moves in a helper, a lambda and comprehensions, guarded and with an else that says the same without them."""
import argparse

import torch
from torch import nn
from torch.autograd import Variable

parser = argparse.ArgumentParser()
parser.add_argument('--gpu', type=int, default=1)
opt = parser.parse_args()

use_gpu = opt.gpu and torch.cuda.is_available()
torch.manual_seed(3)


def to_variable(x):
    if use_gpu:
        x = x.cuda()
    return Variable(x)


def collate(batch):
    inputs = torch.stack([x for x, _ in batch])
    labels = torch.tensor([y for _, y in batch])
    if use_gpu:
        inputs, labels = Variable(inputs.cuda()), Variable(labels.cuda())
    else:
        inputs, labels = Variable(inputs), Variable(labels)
    return inputs, labels


net = nn.Sequential(nn.Linear(3, 6), nn.Tanh(), nn.Linear(6, 2))
net = net.cuda() if use_gpu else net
move = lambda t: t.cuda() if use_gpu else t  # noqa: E731
samples = [(torch.randn(3), i % 2) for i in range(8)]
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
weight = move(torch.tensor([1.0, 2.0]))
noise = [n.cuda() if use_gpu else n for n in torch.randn(3, 8, 3)]
for step in range(3):
    inputs, labels = collate(samples)
    loss = nn.functional.cross_entropy(net(inputs + 0.1 * noise[step]), labels, weight)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, '%.5f' % loss.item())
print('%.5f' % net(to_variable(torch.ones(1, 3))).sum().item())
