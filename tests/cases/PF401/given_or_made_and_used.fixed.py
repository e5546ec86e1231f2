# options: unsafe
"""What is given on one way and made on CUDA on the other meets something in the function, or is CUDA's on every way."""
# run: x = torch.ones(3).to("cuda" if torch.cuda.is_available() else "cpu")
# run: print(meets(None, x).sum().item(), fed(None, x).shape, always(x).device.type, of_its_own(True).sum().item(), text_again(None, 0))
import torch
from torch import nn


def meets(mask, x):
    if mask is None:
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        mask = torch.ones(3, device=device)  # want: PF401 unsafe
    return mask * x


def fed(state, x):
    net = nn.Linear(3, 2).to(x.device)
    if state is None:
        state = torch.ones(1, 3, device=x.device)  # want: PF401
    return net(state)


def always(x):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    x = x.float().to(device)  # want: PF401
    return x


def of_its_own(random):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    if random:
        c = torch.ones(3, device=device)  # want: PF401
    else:
        c = torch.zeros(3, device=device)  # want: PF401
    return c


def text_again(folder, rank):
    if folder is None:
        if rank == 0:
            device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
            folder = torch.ones(3, device=device)  # want: PF401 unsafe
        folder = "made"
    return folder
