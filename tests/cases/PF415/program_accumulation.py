# Gradient accumulation with no_sync, clipping, and a loss that all processes reduce before the first prints it.
# rules: PF101,PF105,PF106,PF107,PF108,PF111,PF113,PF312,PF313,PF315,PF405,PF411,PF412,PF414,PF415,PF416
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def main(steps=4):
    dist.init_process_group("nccl")
    device = torch.device(f"cuda:{int(os.environ['LOCAL_RANK'])}")
    torch.cuda.set_device(device)
    data = TensorDataset(torch.randn(64, 8), torch.randn(64, 1))
    sampler = DistributedSampler(data, drop_last=True)
    loader = DataLoader(data, batch_size=4, sampler=sampler)
    model = DDP(nn.Linear(8, 1).to(device), device_ids=[device.index])
    optimizer = torch.optim.AdamW(model.parameters())
    for epoch in range(3):
        sampler.set_epoch(epoch)
        total = torch.zeros(1, device=device)
        for i, (x, y) in enumerate(loader):
            x, y = x.to(device), y.to(device)
            if (i + 1) % steps:
                with model.no_sync():
                    loss = nn.functional.mse_loss(model(x), y) / steps
                    loss.backward()
            else:
                loss = nn.functional.mse_loss(model(x), y) / steps
                loss.backward()
                nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                optimizer.zero_grad(set_to_none=True)
            total += loss.detach()
        dist.all_reduce(total)
        if dist.get_rank() == 0:
            print(epoch, total.item() / dist.get_world_size())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
