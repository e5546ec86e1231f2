"""One of two optimizers of another library: neither is shown to be torch's, whichever the script makes."""
# not run: it needs a library that is not installed
import torch
from torch import nn
from transformers.optimization import Adafactor, AdamW

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def train(path, plain):
    net = nn.Linear(4, 2).to(device)
    if plain:
        optimizer = AdamW(net.parameters(), lr=1e-3)
    else:
        optimizer = Adafactor(net.parameters(), lr=1e-3)
    optimizer.load_state_dict(torch.load(path))  # want: PF405 unsafe
    return optimizer
