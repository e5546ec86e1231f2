# The sampler has no name where the epochs are counted.
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def loaders(data):
    return DataLoader(data, batch_size=2, sampler=DistributedSampler(data))  # want: PF412 report


def main():
    loader = loaders(TensorDataset(torch.arange(16.0).view(16, 1)))
    model = nn.Linear(1, 1).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.001)
    for epoch in range(2):
        for (x,) in loader:
            model(x.to(device)).sum().backward()
            optimizer.step()
