"""Functions that run an engine of TensorRT, which needs a GPU, in their whole body or in a block: their tensors stay on CUDA."""
# not run: there is no torch2trt
import torch
from torch2trt import TRTModule, torch2trt


def load(path, size):
    engine = TRTModule()
    engine.load_state_dict(torch.load(path))
    engine(torch.ones(1, 3, size, size).cuda())  # want: PF401 note
    return engine


def warm_up(path, sizes):
    for size in sizes:
        if size > 8:
            engine = TRTModule()
            engine(torch.ones(1, 3, size, size).cuda())  # want: PF401 note
    return sizes


def build(model, size):
    x = torch.ones(1, 3, size, size).cuda()  # want: PF401 note
    return torch2trt(model, [x])
