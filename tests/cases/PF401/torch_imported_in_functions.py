# Only functions import torch: the program starts without it, and the module level does not import it for a device.
def train():
    import torch
    from torch import nn

    net = nn.Linear(2, 2).cuda()  # want: PF401
    return net(torch.ones(1, 2).cuda())  # want: PF401


def count():
    import torch

    return torch.zeros(1).cuda()  # want: PF401


print(train().shape, count())
