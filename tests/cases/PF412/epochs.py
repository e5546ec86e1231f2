# Each epoch has the same order, because nothing tells the sampler the epoch.
# options: unsafe
# ranks: 2
# machines: 0,2
# given: import os, torch.distributed as dist
# given: dist.init_process_group("gloo")
# run: main()
# before: clean: each epoch has the same order
# numbers: each epoch has an order of its own
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def main():
    device = torch.device("cuda", dist.get_rank()) if torch.cuda.is_available() else torch.device("cpu")
    data = TensorDataset(torch.arange(16.0).view(16, 1))
    sampler = DistributedSampler(data)  # want: PF412 unsafe
    loader = DataLoader(data, batch_size=2, sampler=sampler)
    model = DDP(nn.Linear(1, 1).to(device))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.001)
    for epoch in range(2):
        train(model, loader, optimizer, device)


def train(model, loader, optimizer, device):
    for (x,) in loader:
        loss = model(x.to(device)).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
