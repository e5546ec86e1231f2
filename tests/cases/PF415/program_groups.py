# The processes of a machine form a group: its first process reduces within the group of the first ones.
# rules: PF101,PF105,PF106,PF107,PF108,PF111,PF113,PF312,PF313,PF315,PF405,PF411,PF412,PF414,PF415,PF416
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    dist.init_process_group("gloo")
    rank, count = dist.get_rank(), dist.get_world_size()
    per = int(os.environ["LOCAL_WORLD_SIZE"])
    leaders = dist.new_group(list(range(0, count, per)))
    model = DDP(nn.Linear(8, 1))
    value = model(torch.randn(4, 8)).mean()
    value.backward()
    value = value.detach()
    if int(os.environ["LOCAL_RANK"]) == 0:
        dist.all_reduce(value, group=leaders)
        torch.save(model.module.state_dict(), f"net{rank // per}.pt")
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
