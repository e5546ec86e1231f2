"""A function of the file that compares its device with words, or makes a text of it, is given none."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def build(n, device="cuda"):
    assert device in ("cuda", "cpu"), device
    return nn.Linear(n, 1).to(device)


def named(n, device="cuda"):
    return f"{n}-{device}"


def starts(x, device):
    return x.to(device) if device.startswith("cuda") else x


def hands_on(n, device):
    return named(n, device)


def bound_elsewhere(n, device):
    kinds = {"cuda": 1, "cpu": 2}
    return kinds[device] + n


class Net(nn.Module):
    def __init__(self, device):
        super().__init__()
        self.fc = nn.Linear(2, 2).to(device)
        self.device = device

    def forward(self, x):
        return self.fc(x) if self.device == "cuda" else x


def main():
    build(3, device="cuda")  # want: PF402 report
    named(3, device="cuda")  # want: PF402 report
    starts(torch.ones(2), device="cuda")  # want: PF402 report
    hands_on(3, device="cuda")  # want: PF402 report
    bound_elsewhere(3, device="cuda")  # want: PF402 report
    Net(device="cuda")(torch.ones(1, 2, device=device))  # want: PF402 report


main()
