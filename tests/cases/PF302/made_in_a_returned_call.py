"""A tensor that a returned call is given is moved itself, not what the call gives back."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def score():
    model = nn.Linear(2, 1)
    model.to(device)
    return model(torch.ones(1, 2))  # want: PF302
# run: print(score().shape)
