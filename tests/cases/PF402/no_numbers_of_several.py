"""A file that names two GPUs by number spreads its work on purpose."""
import torch
from torch import nn

first, second = nn.Linear(4, 4).to(0), nn.Linear(4, 2).to(1)  # want: PF402 report # want: PF402 report
print(second(first(torch.ones(1, 4).to(0)).to(1)))  # want: PF402 report # want: PF402 report
