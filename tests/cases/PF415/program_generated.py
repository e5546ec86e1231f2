# Each process draws its own batches, seeded by its rank; the data set of the evaluation is whole in the first process.
# rules: PF101,PF105,PF106,PF107,PF108,PF111,PF113,PF312,PF313,PF315,PF405,PF411,PF412,PF414,PF415,PF416
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset


def main():
    dist.init_process_group("nccl")
    rank = dist.get_rank()
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    torch.manual_seed(1000 + rank)
    model = DDP(nn.Linear(8, 1).cuda())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for _ in range(20):
        x = torch.randn(16, 8).cuda()
        optimizer.zero_grad()
        (model(x) - x.sum(1, keepdim=True)).pow(2).mean().backward()
        optimizer.step()
    if rank == 0:
        model.eval()
        data = TensorDataset(torch.randn(16, 8))
        with torch.no_grad():
            for (x,) in DataLoader(data, batch_size=4):
                print(model.module(x.cuda()).mean().item())
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
