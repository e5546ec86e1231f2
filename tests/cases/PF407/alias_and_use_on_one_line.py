# The alias and its use share a line: the device goes above it, also where another statement or the header of a block is on the line.
# run: main(); other(); third(); fourth()
import torch


def main():
    cuda = torch.cuda.is_available()
    Tensor = torch.cuda.FloatTensor if cuda else torch.FloatTensor; x = Tensor([[1, 2, 3]])  # want: PF407
    print(x)


def other():
    cuda = torch.cuda.is_available()
    a = 1; Tensor = torch.cuda.FloatTensor if cuda else torch.FloatTensor; x = Tensor([[1, 2, 3]])  # want: PF407
    print(x, a)


def third():
    cuda = torch.cuda.is_available()
    if cuda: a = 1; Tensor = torch.cuda.FloatTensor if cuda else torch.FloatTensor; x = Tensor([[1, 2, 3]]); print(x, a)  # want: PF407


def fourth():
    cuda = torch.cuda.is_available()
    if cuda: Tensor = torch.cuda.FloatTensor if cuda else torch.FloatTensor; x = Tensor([[1, 2, 3]]); print(x)  # want: PF407
