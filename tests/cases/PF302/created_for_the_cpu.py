import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
table = nn.Linear(4, 3).to(device)
other = nn.Linear(4, 3)

# what is used on the CPU alone is created there
steps = torch.linspace(0, 1, 4)
other(steps)
words = torch.eye(4, dtype=torch.float32)
other(words)
print(table.weight.device, steps.sum(), words.sum())
# it has its device
halves = torch.arange(0, 2, 0.5, device=device)
table(halves)
