# The alias and its use share a line: the device goes above it, also where another statement or the header of a block is on the line.
# run: main(); other(); third(); fourth()
import torch


def main():
    cuda = torch.cuda.is_available()
    device = torch.device("cuda" if cuda else "cpu")
    x = torch.tensor([[1, 2, 3]], dtype=torch.float32, device=device)  # want: PF407
    print(x)


def other():
    cuda = torch.cuda.is_available()
    a = 1
    device = torch.device("cuda" if cuda else "cpu")
    x = torch.tensor([[1, 2, 3]], dtype=torch.float32, device=device)  # want: PF407
    print(x, a)


def third():
    cuda = torch.cuda.is_available()
    if cuda:
        a = 1
        device = torch.device("cuda" if cuda else "cpu")
        x = torch.tensor([[1, 2, 3]], dtype=torch.float32, device=device); print(x, a)  # want: PF407


def fourth():
    cuda = torch.cuda.is_available()
    if cuda:
        device = torch.device("cuda" if cuda else "cpu")
        x = torch.tensor([[1, 2, 3]], dtype=torch.float32, device=device); print(x)  # want: PF407
