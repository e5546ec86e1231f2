"""DDP with device_ids moves its inputs; the targets are moved by hand; placed, then wrapped."""
import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def main_worker(gpu, ngpus):
    os.environ["MASTER_ADDR"] = "localhost"
    os.environ["MASTER_PORT"] = "29544"
    torch.cuda.set_device(gpu)
    dist.init_process_group("nccl", rank=gpu, world_size=ngpus)
    torch.manual_seed(110)
    dataset = TensorDataset(torch.randn(48, 6), torch.randint(0, 3, (48,)))
    loader = DataLoader(dataset, batch_size=8, sampler=DistributedSampler(dataset))
    model = nn.Linear(6, 3)
    model.to(gpu)
    model = DDP(model, device_ids=[gpu])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    criterion = nn.CrossEntropyLoss().to(gpu)
    for epoch in range(2):
        loader.sampler.set_epoch(epoch)
        for images, target in loader:
            target = target.to(gpu, non_blocking=True)
            loss = criterion(model(images), target)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if gpu == 0:
            print("epoch", epoch, "loss", round(loss.item(), 5))
    dist.destroy_process_group()


if __name__ == "__main__":
    if torch.cuda.device_count():
        mp.spawn(main_worker, nprocs=torch.cuda.device_count(), args=(torch.cuda.device_count(),))
    else:
        print("this example needs at least one GPU")
