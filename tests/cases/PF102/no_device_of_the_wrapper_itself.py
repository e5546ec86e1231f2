import torch
import torch.nn as nn


def main(args):
    model = nn.Linear(6, 2)
    model = nn.DataParallel(model)  # want: PF102 report
    with torch.cuda.device(args.gpu):
        model.cuda()
    return model
