# One process for each GPU with mp.spawn; the rank is the argument of the function.
# rules: PF101,PF105,PF106,PF107,PF108,PF111,PF113,PF312,PF313,PF315,PF405,PF411,PF412,PF414,PF415,PF416
import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 2))

    def forward(self, x):
        return self.body(x)


def setup(rank, world_size):
    os.environ["MASTER_ADDR"] = "localhost"
    os.environ["MASTER_PORT"] = "12355"
    dist.init_process_group("nccl", rank=rank, world_size=world_size)


def train(rank, world_size, epochs):
    setup(rank, world_size)
    torch.cuda.set_device(rank)
    data = TensorDataset(torch.randn(64, 8), torch.randint(2, (64,)))
    sampler = DistributedSampler(data, num_replicas=world_size, rank=rank, shuffle=True)
    loader = DataLoader(data, batch_size=8, shuffle=False, sampler=sampler)
    model = DDP(Net().to(rank), device_ids=[rank])
    optimizer = torch.optim.Adam(model.parameters())
    for epoch in range(epochs):
        loader.sampler.set_epoch(epoch)
        for x, y in loader:
            loss = nn.functional.cross_entropy(model(x.to(rank)), y.to(rank))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if rank == 0 and epoch % 2 == 0:
            torch.save(model.module.state_dict(), f"epoch{epoch}.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    count = torch.cuda.device_count()
    mp.spawn(train, args=(count, 5), nprocs=count, join=True)
