# The data is divided by slices of the rank, before the loader shuffles each part.
# rules: PF101,PF105,PF106,PF107,PF108,PF111,PF113,PF312,PF313,PF315,PF405,PF411,PF412,PF414,PF415,PF416
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset


def main():
    dist.init_process_group("nccl")
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    me, count = dist.get_rank(), dist.get_world_size()
    x, y = torch.randn(64, 8), torch.randn(64, 1)
    mine = slice(me * len(x) // count, (me + 1) * len(x) // count)
    data = TensorDataset(x[mine], y[mine])
    loader = DataLoader(data, batch_size=8, shuffle=True)
    model = DDP(nn.Linear(8, 1).cuda(), device_ids=[local_rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for _ in range(3):
        for a, b in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(model(a.cuda()), b.cuda()).backward()
            optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
