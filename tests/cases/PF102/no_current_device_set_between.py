import torch
import torch.nn as nn


def main(gpu):
    model = nn.Linear(6, 2)
    model = nn.DataParallel(model)  # want: PF102 report
    torch.cuda.set_device(gpu)
    model.cuda()
    return model
