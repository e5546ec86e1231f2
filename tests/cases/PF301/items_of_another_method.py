# options: unsafe
"""One method moves all items of a dict, another one hands them to the same model as they are: which of them are tensors is not known."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Pairs:
    def __init__(self, model):
        self.model = model.to(device)

    def score(self, parts):
        parts = {key: part.to(device) for key, part in parts.items()}
        return self.model(**parts)

    def total(self, parts):
        scores = self.model(**parts)  # want: PF301 report, warning
        return scores.sum()
