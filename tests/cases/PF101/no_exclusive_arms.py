import torch
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main(args):
    model = nn.Linear(6, 2)
    if args.distributed:
        if args.gpu is not None:
            model.cuda(args.gpu)
            model = DDP(model, device_ids=[args.gpu])
        else:
            model.cuda()
            model = DDP(model)
    elif args.gpu is not None:
        model = model.cuda(args.gpu)
    else:
        model = nn.DataParallel(model.cuda())
    return model
