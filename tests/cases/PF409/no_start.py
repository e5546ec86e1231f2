# Nothing has initialised CUDA on every path before the variable is set.
import os

import torch

print(torch.cuda.is_available(), torch.cuda.device_count())
os.environ["CUDA_VISIBLE_DEVICES"] = "1"
torch.cuda.manual_seed(0)
model = torch.nn.Linear(3, 2).cuda()


def sometimes(gpu, warm):
    if warm:
        torch.cuda.synchronize()
    os.environ["CUDA_VISIBLE_DEVICES"] = gpu
    os.environ["CUDA_LAUNCH_BLOCKING"] = "1"


def host(gpu):
    x = torch.zeros(3, device="cpu")
    os.environ["CUDA_VISIBLE_DEVICES"] = gpu
    return x


def device(gpu):
    device = torch.device("cuda")
    os.environ["CUDA_VISIBLE_DEVICES"] = gpu
    return device


def setting(gpu):
    torch.cuda.init()
    os.environ["CUDA_LAUNCH_BLOCKING"] = "1"
    values = {}
    values["CUDA_VISIBLE_DEVICES"] = gpu
    return values


def later(gpu, warm):
    wait = lambda: torch.cuda.synchronize()
    warm and torch.cuda.init()
    os.environ["CUDA_VISIBLE_DEVICES"] = gpu
    wait()
