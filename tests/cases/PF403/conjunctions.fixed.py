# options: unsafe
"""A guard that asks for CUDA and for something else keeps the other question."""
# run: print(run(torch.cuda.is_available(), nn.Linear(2, 1), True), run(torch.cuda.is_available(), None, False))
import torch
from torch import nn


def run(use_cuda, head, half):
    torch.manual_seed(2)
    body = nn.Linear(2, 2)
    x = torch.ones(1, 2)
    device = torch.device("cuda" if use_cuda else "cpu")
    x = x.to(device)
    if head is not None:  # want: PF403 unsafe
        head.to(device)
    if body is not None:  # want: PF403 unsafe
        body.to(device)
    return body(x).shape if head is None else head(body(x)).shape
