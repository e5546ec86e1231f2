# rules: PF401,PF402,PF403
"""A class's own `.cuda()` is what its users call; what it does is its name."""
import torch
from torch import nn


class Pipeline:
    def __init__(self):
        self.model = nn.Linear(2, 1)
        self.mean = torch.zeros(2)

    def cuda(self):
        self.model.cuda()  # want: PF401 note
        self.mean = self.mean.cuda()
        return self

    def gpu(self):
        return self.cuda()  # want: PF401 note


def run(use_gpu):
    pipeline = Pipeline()
    pipeline.cuda()  # want: PF401 report
    if use_gpu:  # want: PF403 report
        pipeline.cuda()
    return pipeline
