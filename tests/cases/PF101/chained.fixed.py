import torch
import torch.nn as nn


def worker(rank):
    model = nn.parallel.DistributedDataParallel(nn.Linear(6, 2).to(rank), device_ids=[rank], output_device=rank)  # want: PF101
    return model
# machines: 2
# run: import ranks
# run: ranks.run(worker)
