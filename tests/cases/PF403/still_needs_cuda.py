# rules: PF401,PF403
"""A guard of moves stays in a function that needs CUDA all the same, where its device would be new."""
import torch


def new(x, use_cuda):
    if use_cuda:  # want: PF403 report
        x = x.cuda()
    return torch.relu(x).cuda(1)  # want: PF401 report


def at_hand(x, y):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    if torch.cuda.is_available():  # want: PF403 unsafe
        y = y.cuda()
    return torch.relu(x).cuda(1), y.to(device)  # want: PF401 report
# not run: it is for two GPUs
