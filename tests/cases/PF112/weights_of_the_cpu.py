"""Weights that are made on the CPU and set after the layer was made leave it there, wherever it is placed before."""
import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
x = torch.zeros(2, 3).to(device)

filled = nn.Linear(3, 3)  # want: PF112 report
filled.weight.data = torch.ones(3, 3)
print(filled(x).shape)

made = nn.Linear(3, 3)  # want: PF112 report
made.weight = nn.Parameter(torch.ones(3, 3))
print(made(x).shape)
