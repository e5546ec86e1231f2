import torch
from torch import nn


def experiment(width):
    def build(device):
        net = nn.Linear(width, 1)
        net.to(device=device)
        wrapped = nn.DataParallel(net)  # want: PF102
        return wrapped

    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.manual_seed(10)
    return build(device)(torch.ones(2, width).to(device)).sum().item()


print(experiment(4))
