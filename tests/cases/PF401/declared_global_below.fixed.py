# options: unsafe
import torch
import torch.nn as nn


def main(n):
    DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    x = torch.ones(n, 3, device=DEVICE)  # want: PF401
    net = nn.Linear(3, 3).to(DEVICE)  # want: PF401
    global device
    device = torch.device("cpu")
    return net(x)
# run: main(3)
