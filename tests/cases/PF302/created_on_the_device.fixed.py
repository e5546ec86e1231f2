import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
table = nn.Linear(4, 3).to(device)

# a factory gets the device; its last digits may differ
steps = torch.linspace(0, 1, 4, device=device)  # want: PF302
table(steps)
words = torch.eye(4, dtype=torch.float32, device=device)  # want: PF302
table(words)
halves = torch.arange(0, 2, 0.5, device=device)  # want: PF302
table(halves)
# random numbers are drawn on the CPU
drawn = torch.rand(2, 4).to(device)  # want: PF302
table(drawn)
kept = torch.zeros(2, 4, pin_memory=True).to(device)  # want: PF302
table(kept)
# the call does not end the line
chained = torch.ones(4, 2).t().to(device)  # want: PF302
table(chained)
