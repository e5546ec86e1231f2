"""Another GPU may be the current one where the move is: bound again, in an arm, later, elsewhere."""
import torch


def again(x, rank):
    torch.cuda.set_device(rank)
    rank = rank + 1
    return torch.relu(x).cuda(rank)  # want: PF401 display


def in_an_arm(x, rank, several):
    if several:
        torch.cuda.set_device(rank)
    return torch.relu(x).cuda(rank)  # want: PF401 display


def later(x, rank):
    y = torch.relu(x).cuda(rank)  # want: PF401 display
    torch.cuda.set_device(rank)
    return y


def elsewhere(x, rank):
    return torch.relu(x).cuda(rank)  # want: PF401 display
