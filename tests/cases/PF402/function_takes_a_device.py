"""A function of the file that does with its device what a torch.device serves for as well as a word."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def build(n, device="cuda"):
    return nn.Linear(n, 1).to(device)


def rows(n, device=None):
    device = device or "cpu"
    return torch.ones(n, device=device)


def made(n, device):
    device = torch.device(device)
    return torch.ones(n, device=device) if device.type == "cuda" else torch.ones(n)


def hands_on(n, where):
    return rows(n, device=where)


class Net(nn.Module):
    def __init__(self, device):
        super().__init__()
        self.fc = nn.Linear(2, 2).to(device)
        self.device = device

    def forward(self, x):
        return self.fc(x.to(self.device))


def main():
    print(build(3, device="cuda").weight.shape)  # want: PF402
    print(rows(3, device="cuda").sum())  # want: PF402
    print(made(3, device="cuda").sum())  # want: PF402
    print(Net(device="cuda")(torch.ones(1, 2)).shape)  # want: PF402


main()
