"""Criteria whose targets lie where they should, are numbers, or may stay on the CPU; and one that is not known."""
import torch
from torch import nn


class Losses(nn.Module):
    def __init__(self, other):
        super().__init__()
        self.mse = nn.MSELoss()
        self.ctc = nn.CTCLoss()
        self.ce = nn.CrossEntropyLoss()
        self.other = other

    def like(self, pred):
        return self.mse(pred, torch.zeros_like(pred)) + self.mse(pred, torch.ones(pred.size(), device=pred.device))

    def numbers(self, pred):
        return self.mse(pred.mean(), torch.tensor(0.5))

    def lengths(self, logits, targets):
        inputs = torch.full((logits.size(1),), logits.size(0), dtype=torch.long)
        sizes = torch.full((targets.size(0),), targets.size(1), dtype=torch.long)
        return self.ctc(logits, targets, inputs, sizes)

    def unknown(self, pred):
        target = torch.ones(pred.size(0))
        return self.other(pred, target)

    def on_the_host(self, pred):
        labels = torch.zeros(pred.size(0), dtype=torch.long)
        return self.ce(pred.cpu(), labels)

    def moved(self, pred):
        labels = torch.zeros(pred.size(0), dtype=torch.long)
        labels = labels.to(pred.device)
        return self.ce(pred, labels)

    def forward(self, pred):
        return self.like(pred) + self.numbers(pred) + self.unknown(pred) + self.on_the_host(pred) + self.moved(pred)
