import torch
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel


def worker(rank, args):
    device = torch.device("cuda", rank)
    model = DistributedDataParallel(  # want: PF101
        nn.Sequential(nn.Linear(6, 6), nn.ReLU()).to(device),
        device_ids=[device],
        find_unused_parameters=args.find_unused,
    )
    return model
# machines: 2
# run: import ranks, types
# run: ranks.run(worker, types.SimpleNamespace(find_unused=False))
