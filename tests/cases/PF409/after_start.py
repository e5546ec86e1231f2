# The variable is set after a tensor, a module or a question has initialised CUDA.
import os

import torch


def module(gpu):
    model = torch.nn.Linear(3, 2).cuda()
    os.environ["CUDA_VISIBLE_DEVICES"] = str(gpu)  # want: PF409 report
    return model


def tensor(options):
    x = torch.zeros(3, device="cuda:0")
    if options.gpu:
        os.environ["CUDA_VISIBLE_DEVICES"] = options.gpu  # want: PF409 report
    return x


print(torch.cuda.get_device_name())
os.environ["CUDA_VISIBLE_DEVICES"] = "1"  # want: PF409 report
