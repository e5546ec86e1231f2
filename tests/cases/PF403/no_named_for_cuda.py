"""Named for CUDA, and a method that a class offers."""
import torch
from torch import nn


class Pipeline:
    def __init__(self):
        self.model = nn.Linear(2, 1)

    def cuda(self):
        if torch.cuda.is_available():
            self.model.cuda()
        return self

    def to_gpu(self):
        if torch.cuda.is_available():
            self.model.cuda()
