#!/usr/bin/env python
import argparse
import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


class Tower(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(8, width), nn.ReLU(), nn.Linear(width, 3))

    def forward(self, x):
        return self.net(x)


def main_worker(gpu, args):
    torch.cuda.set_device(gpu)
    dist.init_process_group(backend="nccl", init_method=args.dist_url, world_size=args.gpus, rank=gpu)
    torch.manual_seed(55)
    device = torch.device("cuda", gpu)
    dataset = TensorDataset(torch.randn(48, 8), torch.randint(0, 3, (48,)))
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=args.batch_size, sampler=sampler)

    model = DDP(Tower(args.width), device_ids=[gpu]).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    criterion = nn.CrossEntropyLoss().to(device)

    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        for x, y in loader:
            x, y = x.to(device), y.to(device)
            loss = criterion(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if gpu == 0:
            print(f"epoch {epoch}: loss {loss.item():.5f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--width", type=int, default=16)
    parser.add_argument("--batch-size", type=int, default=8)
    parser.add_argument("--dist-url", default="tcp://127.0.0.1:29587")
    args = parser.parse_args()
    args.gpus = torch.cuda.device_count()
    if args.gpus:
        mp.spawn(main_worker, nprocs=args.gpus, args=(args,))
    else:
        print("no GPU on this machine:", os.cpu_count() > 0)
