"""Moves that are thrown away, and nothing is shown to fail: what follows takes the tensor from the CPU, or is not known."""
import numpy as np
import torch
import torch.nn.functional as F
from unseen import Quantized, save


def lengths_of(lists, log_probs, device):
    lengths = torch.from_numpy(np.array([len(one) for one in lists]))
    lengths.to(device)  # want: PF303 unsafe, warning
    save(lengths)
    return F.ctc_loss(log_probs, lists, lengths, lengths)


def quantized(n):
    centroids = torch.rand(n, n)
    centroids.cuda()  # want: PF303 unsafe, warning
    return Quantized(centroids)


def features(tokens, model, device):
    tokens = tokens.unsqueeze(0)
    tokens.to(device)  # want: PF303 unsafe
    return model(tokens)


class Hub:
    def __init__(self, model, device):
        self.model = model
        self.device = device

    def features(self, tokens):
        tokens = tokens.unsqueeze(0)
        tokens.to(self.device)  # want: PF303 unsafe
        return self.model(tokens=tokens)

    def logged(self, tokens):
        tokens = tokens.unsqueeze(0)
        tokens.to(self.device)  # want: PF303 unsafe, warning
        return self.log(tokens)

    def log(self, tokens):
        print(tokens.shape)
