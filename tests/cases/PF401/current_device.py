"""One process per GPU: a device without index is the current one, like .cuda()."""
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    model = nn.Linear(4, 1).cuda()  # want: PF401 report
    model = DistributedDataParallel(model, device_ids=[local_rank])
    for _ in range(3):
        model(torch.randn(2, 4).cuda(non_blocking=True)).sum().backward()  # want: PF401 report


if __name__ == "__main__":
    main()
# machines: 2
# ranks: 2
# before: clean: it needs a GPU for each process in any case
