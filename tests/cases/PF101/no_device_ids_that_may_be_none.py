import torch
import torch.distributed as dist
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main(args):
    dist.init_process_group(args.backend)
    model = nn.Linear(6, 2)
    model = DDP(model, device_ids=[args.gpu] if args.gpu is not None else None)  # want: PF101 unsafe
    model.to(args.device)
    return model
