# Only functions import torch: the program starts without it, and the module level does not import it for a device.
def train():
    import torch
    from torch import nn

    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    net = nn.Linear(2, 2).to(device)  # want: PF401
    return net(torch.ones(1, 2, device=device))  # want: PF401


def count():
    import torch

    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    return torch.zeros(1, device=device)  # want: PF401


print(train().shape, count())
