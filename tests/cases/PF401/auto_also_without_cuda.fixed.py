# options: target-torch=2.7 device-idiom=auto
import torch
from torch import nn


def train():
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = nn.Linear(2, 1).to(device)  # want: PF401
    return model(torch.ones(1, 2, device=device))  # want: PF401


def evaluate(x):
    if torch.cuda.is_available():
        torch.cuda.empty_cache()
    return x.sum()


print(train(), evaluate(torch.ones(2)))
