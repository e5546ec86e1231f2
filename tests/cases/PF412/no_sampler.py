# Each process trains on all of the data.
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset


def main():
    dist.init_process_group("gloo")
    device = torch.device("cuda", dist.get_rank())
    data = TensorDataset(torch.arange(16.0).view(16, 1))
    loader = DataLoader(data, batch_size=2, shuffle=True)  # want: PF412 report
    test = DataLoader(data, batch_size=2)
    model = DDP(nn.Linear(1, 1).to(device))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.001)
    for epoch in range(2):
        train(model, loader, optimizer, device)
        for (x,) in test:
            print(epoch, model(x.to(device)).sum().item())


def train(model, loader, optimizer, device):
    for (x,) in loader:
        loss = model(x.to(device)).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
