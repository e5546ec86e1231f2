"""Weights that are changed in place, or computed from the layer's own, move with it."""
import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
x = torch.zeros(2, 3).to(device)

scaled = nn.Linear(3, 3)  # want: PF112
scaled.weight.data = scaled.weight.data * 0.1
scaled.bias.data.zero_()
scaled.weight.data.copy_(x[:1])
print(scaled(x).shape)
