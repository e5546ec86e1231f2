import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
mean = torch.zeros(4)


def normalise(x):
    mean.to(device)  # want: PF303 report, warning
    return x


def main():
    count = torch.zeros(1)

    def bump():
        count.to(device)  # want: PF303 report, warning
        return count

    print(bump().shape, normalise(torch.ones(1, 4)).shape)


main()
