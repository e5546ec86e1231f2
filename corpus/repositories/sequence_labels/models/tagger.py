import torch
import torch.nn as nn
from torch.autograd import Variable

from .attention import Attention
from utils.helpers import one_hot


class Tagger(nn.Module):
    def __init__(self, n_words, n_hidden, n_tags):
        super(Tagger, self).__init__()
        self.n_words = n_words
        self.n_hidden = n_hidden
        self.project = nn.Linear(n_words, n_hidden)
        self.lstm = nn.LSTM(n_hidden, n_hidden)
        self.attention = Attention(n_hidden)
        self.out = nn.Linear(n_hidden, n_tags)

    def init_hidden(self, batch):
        h = Variable(torch.zeros(1, batch, self.n_hidden)).cuda()
        c = Variable(torch.zeros(1, batch, self.n_hidden)).cuda()
        return h, c

    def forward(self, words):
        states, _ = self.lstm(self.project(one_hot(words, self.n_words)), self.init_hidden(words.size(1)))
        return self.out(self.attention(states))
