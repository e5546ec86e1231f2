"""A context manager gives back what it is handed: an object with a `cuda` and no `to`."""
import contextlib

import torch
from torch import nn


class Embedder:
    def __init__(self):
        self.model = nn.Linear(3, 3)

    def cuda(self):
        self.model.cuda()  # want: PF401 note

    def parameters(self):
        return self.model.parameters()


with contextlib.nullcontext(Embedder()) as made:
    made.cuda()  # want: PF401 unsafe
    optimizer = torch.optim.SGD(made.parameters(), lr=0.1)

with contextlib.ExitStack() as stack:
    entered = stack.enter_context(contextlib.nullcontext(Embedder()))
    entered.cuda()  # want: PF401 unsafe
    other = torch.optim.SGD(entered.parameters(), lr=0.1)
