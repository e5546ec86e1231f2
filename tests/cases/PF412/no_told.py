# The epoch is told, under another name.
import torch
from torch import nn
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def main(data):
    loader = DataLoader(data, sampler=DistributedSampler(data))
    model = nn.Linear(1, 1).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.001)
    for epoch in range(2):
        loader.sampler.set_epoch(epoch)
        for (x,) in loader:
            model(x.to(device)).sum().backward()
            optimizer.step()
