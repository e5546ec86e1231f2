# options: target-torch=2.6 device-idiom=auto
import torch
from torch import nn

device = torch.accelerator.current_accelerator() if torch.accelerator.is_available() else torch.device("cpu")


def run():
    model = nn.Linear(2, 1).to(device)  # want: PF401
    return model(torch.ones(1, 2, device=device))  # want: PF401


def norm():
    return torch.ones(3, device=device).norm()  # want: PF401


def load(path):
    return torch.load(path, map_location="cpu")


if __name__ == "__main__":
    print(run(), norm())
