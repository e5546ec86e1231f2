"""A device chosen in two steps, by the flag and then by what there is, goes with the flag: where that is set and there is no CUDA, this raised."""
# run: print(load(3), load(3, torch.cuda.is_available()), Net.load(3), Net.load(3, torch.cuda.is_available()))
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.fc = nn.Linear(size, 2)

    @classmethod
    def load(cls, size, use_cuda=False):
        if use_cuda:
            device = torch.device("cuda") if torch.cuda.is_available() else torch.device("cpu")
        else:
            device = torch.device("cpu")
        state = {"size": torch.tensor(size, device=device)}
        net = cls(int(state["size"]))
        if use_cuda:  # want: PF403
            net.to(torch.device("cuda"))
        return sum(p.numel() for p in net.parameters())


def load(size, use_cuda=False):
    device = "cpu"
    if use_cuda:
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    net = Net(size)
    if use_cuda:  # want: PF403
        net.cuda()
    return net.fc(torch.ones(2, size, device=device)).shape
