import torch
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main(args):
    model = nn.Linear(6, 2)
    if args.distributed:
        print("world size", args.world_size)
        model = DDP(model, device_ids=[args.local_rank], output_device=args.local_rank)  # want: PF101 report
    args.device = torch.device("cuda", args.local_rank)
    criterion = nn.CrossEntropyLoss()
    model.to(args.device)
    return model, criterion
