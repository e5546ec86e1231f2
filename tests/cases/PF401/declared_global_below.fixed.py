# options: unsafe
import torch
import torch.nn as nn


def main(n):
    torch_device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    x = torch.ones(n, 3, device=torch_device)  # want: PF401
    net = nn.Linear(3, 3).to(torch_device)  # want: PF401
    global device
    device = torch.device("cpu")
    return net(x)
# run: main(3)
