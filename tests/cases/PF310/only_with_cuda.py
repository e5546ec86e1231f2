# rules: PF310
import torch
from torch import nn

use_cuda = torch.cuda.is_available()
device = torch.device("cuda" if use_cuda else "cpu")
model = nn.Linear(4, 3).to(device)


def taken_back(x):
    scores = model(x.to(device)).detach()
    if use_cuda:
        scores = scores.cpu()
    return scores.numpy()


def taken_back_inline(x):
    scores = model(x.to(device)).detach()
    return (scores.cpu() if torch.cuda.is_available() else scores).numpy()


def each_arm(x):
    scores = model(x.to(device)).detach()
    return scores.cpu().numpy() if scores.is_cuda else scores.numpy()


def left_early(x):
    scores = model(x.to(device)).detach()
    if device.type == "cuda":
        return scores.cpu().numpy()
    return scores.numpy()


class Scorer:
    def __init__(self, no_cuda):
        self.no_cuda = no_cuda or not torch.cuda.is_available()
        self.device = torch.device("cpu" if self.no_cuda else "cuda")
        self.model = nn.Linear(4, 3).to(self.device)

    def score(self, x):
        scores = self.model(x.to(self.device)).detach()
        if not self.no_cuda:
            scores = scores.cpu()
        return scores.numpy()


x = torch.randn(2, 4)
taken_back(x), taken_back_inline(x), each_arm(x), left_early(x), Scorer(False).score(x)
