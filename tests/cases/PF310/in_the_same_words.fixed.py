# run: print(shown(torch.zeros(2, 3)))
"""One line copies one of two tensors for numpy, and reads the other, which comes with it, in the same words as it is."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(3, 3).to(device)


def shown(x):
    x = x.to(device)
    found = []
    for a, b in zip(x, net(x).detach()):
        a, b = a.view(-1).cpu().numpy(), b.view(-1).cpu().numpy()  # want: PF310
        a = a.clip(-1, 1)
        b = b.clip(-1, 1)
        found.append((a * 0 + b * 0).sum())
    return found
