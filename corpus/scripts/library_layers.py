"""Layers for sequence models (library file: no entry point of its own)."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class PositionalNoise(nn.Module):
    """Adds position dependent noise to a (batch, time, channels) input during training."""

    def __init__(self, scale=0.1):
        super(PositionalNoise, self).__init__()
        self.scale = scale

    def forward(self, x):
        steps = torch.arange(x.size(1)).float().cuda()
        ramp = (steps / x.size(1)).view(1, -1, 1)
        return x + self.scale * ramp


class LastState(nn.Module):
    """A GRU that returns its last hidden state."""

    def __init__(self, channels, hidden):
        super(LastState, self).__init__()
        self.hidden = hidden
        self.rnn = nn.GRU(channels, hidden, batch_first=True)

    def forward(self, x):
        h0 = torch.zeros(1, x.size(0), self.hidden).cuda()
        _, h = self.rnn(x, h0)
        return h[0]


def smooth_targets(labels, classes, eps=0.1):
    """One-hot targets of `labels`, smoothed by `eps`."""
    target = torch.zeros(labels.size(0), classes).cuda()
    target.fill_(eps / (classes - 1))
    return target.scatter_(1, labels.view(-1, 1), 1 - eps)


def soft_cross_entropy(logits, labels):
    target = smooth_targets(labels, logits.size(1))
    return -(target * F.log_softmax(logits, dim=1)).sum(1).mean()
