# The data are divided without one: by the rank, by a class that knows it, by the caller, by its random numbers; one process has all of them.
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, Dataset, Subset, TensorDataset


class Part(Dataset):
    def __init__(self, data):
        self.data = data[dist.get_rank() :: dist.get_world_size()]

    def __len__(self):
        return len(self.data)

    def __getitem__(self, index):
        return (self.data[index],)


def main(given):
    dist.init_process_group("gloo")
    device = torch.device("cuda", dist.get_rank())
    rank, count = dist.get_rank(), dist.get_world_size()
    whole = TensorDataset(torch.arange(16.0).view(16, 1))
    model = DDP(nn.Linear(1, 1).to(device))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.001)
    subset = Subset(whole, range(rank, 16, count))
    for data in (subset, Part(torch.arange(16.0).view(16, 1))):
        train(model, DataLoader(data, batch_size=2), optimizer, device)
    train(model, DataLoader(subset, batch_size=2), optimizer, device)
    train(model, DataLoader(Part(torch.ones(16, 1)), batch_size=2), optimizer, device)
    train(model, DataLoader(given, batch_size=2), optimizer, device)


def random():
    dist.init_process_group("gloo")
    torch.manual_seed(dist.get_rank())
    device = torch.device("cuda", dist.get_rank())
    data = TensorDataset(torch.randn(16, 1))
    model = DDP(nn.Linear(1, 1).to(device))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.001)
    train(model, DataLoader(data, batch_size=2), optimizer, device)


def single():
    dist.init_process_group("gloo", rank=0, world_size=1)
    device = torch.device("cuda")
    model = DDP(nn.Linear(1, 1).to(device))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.001)
    train(model, DataLoader(TensorDataset(torch.ones(8, 1)), batch_size=2), optimizer, device)


def bare():
    device = torch.device("cuda")
    model = nn.Linear(1, 1).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.001)
    train(model, DataLoader(TensorDataset(torch.ones(8, 1)), batch_size=2), optimizer, device)


def train(model, loader, optimizer, device):
    for (x,) in loader:
        loss = model(x.to(device)).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
