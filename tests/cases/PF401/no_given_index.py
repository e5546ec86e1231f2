import torch


def train(model, batches, gpu, args, rank=None):
    model.cuda(gpu)  # want: PF401 display
    for x, y in batches:
        x = x.cuda(args.gpu, non_blocking=True)  # want: PF401 display
        y = y.cuda(device=args.gpu)  # want: PF401 display
        z = y.cuda(rank)  # want: PF401 report
        z = z.cuda(gpu + 1)  # want: PF401 report
        model(x, y, z)
