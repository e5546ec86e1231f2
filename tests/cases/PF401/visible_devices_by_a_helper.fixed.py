"""A helper of unknown code that is called for choosing the GPUs goes before the question whether there is CUDA."""
import torch
from fewshot.tools import set_gpu
from torch import nn


def train():
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    net = nn.Linear(3, 3).to(device)  # want: PF401
    return net(torch.zeros(3, device=device))  # want: PF401


def test():
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    return torch.zeros(3, device=device)  # want: PF401


def main(gpu):
    set_gpu(gpu)
    return train(), test()


if __name__ == "__main__":
    main("0")
# not run: the helper is not at hand
