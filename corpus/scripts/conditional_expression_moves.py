import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F

parser = argparse.ArgumentParser()
parser.add_argument('--cuda', action='store_true', help='use CUDA')
parser.add_argument('--steps', type=int, default=15)
args = parser.parse_args()

torch.manual_seed(2)
cuda = args.cuda and torch.cuda.is_available()


class Policy(nn.Module):
    def __init__(self):
        super(Policy, self).__init__()
        self.affine1 = nn.Linear(4, 16)
        self.action_head = nn.Linear(16, 2)

    def forward(self, x):
        return F.softmax(self.action_head(F.relu(self.affine1(x))), dim=-1)


policy = Policy()
policy = policy.cuda() if cuda else policy
optimizer = torch.optim.Adam(policy.parameters(), lr=0.02)

for step in range(args.steps):
    state = torch.randn(8, 4)
    state = state.cuda() if cuda else state
    reward = (state[:, 0] > 0).float()
    probs = policy(state)[:, 1]
    loss = F.binary_cross_entropy(probs, reward)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 5 == 4:
        print('step %d loss %.5f' % (step + 1, loss.item()))
