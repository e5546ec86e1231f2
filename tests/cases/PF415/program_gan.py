# Two wrapped networks; the discriminator steps on detached samples; a copy of the generator is saved by the first process.
# rules: PF101,PF105,PF106,PF107,PF108,PF111,PF113,PF312,PF313,PF315,PF405,PF411,PF412,PF414,PF415,PF416
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def main():
    dist.init_process_group("nccl")
    gpu = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(gpu)
    maker = DDP(nn.Linear(4, 8).cuda(), device_ids=[gpu])
    judge = DDP(nn.Linear(8, 1).cuda(), device_ids=[gpu], broadcast_buffers=False)
    optimizers = [torch.optim.Adam(net.parameters()) for net in (maker, judge)]
    data = TensorDataset(torch.randn(64, 8))
    sampler = DistributedSampler(data)
    for epoch in range(3):
        sampler.set_epoch(epoch)
        for (real,) in DataLoader(data, batch_size=8, sampler=sampler):
            real = real.cuda(non_blocking=True)
            fake = maker(torch.randn(len(real), 4, device=real.device))
            optimizers[1].zero_grad()
            (judge(fake.detach()).mean() - judge(real).mean()).backward()
            optimizers[1].step()
            optimizers[0].zero_grad()
            (-judge(fake).mean()).backward()
            optimizers[0].step()
        if gpu == 0:
            torch.save(maker.module.state_dict(), "maker.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
