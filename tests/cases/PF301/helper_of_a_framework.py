"""One function uses a framework; the other one places things itself."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
data = TensorDataset(torch.randn(24, 4), torch.randint(0, 3, (24,)))


def with_accelerate(net, loader):
    from accelerate import Accelerator

    accelerator = Accelerator()
    net, loader = accelerator.prepare(net, loader)
    return [net(x).shape for x, _ in loader]


def plain():
    net = nn.Linear(4, 3).to(device)
    for x, y in DataLoader(data, batch_size=6):  # want: PF301
        print(nn.functional.cross_entropy(net(x), y).shape)
# run: plain()
