import torch
import torch.nn as nn


class Attention(nn.Module):
    def __init__(self, n_hidden):
        super(Attention, self).__init__()
        self.score = nn.Linear(n_hidden, 1)

    def forward(self, states):
        length = states.size(0)
        mask = torch.ones(length, length).tril().cuda()
        weights = torch.softmax(self.score(states).squeeze(-1), 0)
        return torch.einsum('ts,sb,sbh->tbh', mask, weights, states)
