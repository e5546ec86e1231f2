"""What else is asked has to be asked with the question for CUDA."""
import torch
from torch import nn


def first(use_cuda, model, n_gpus, names):
    if use_cuda and n_gpus > 1:  # want: PF403 note
        model.cuda()
    if use_cuda and len(names.pop()) > 2:  # want: PF403 note
        model.cuda()
    if use_cuda or model is not None:  # want: PF403 note
        model.cuda()
    if model is not None and use_cuda and names:  # want: PF403 note
        model.cuda()
    if use_cuda and model is not None:  # want: PF403 note
        model.cuda()
    else:
        print("on the CPU")
    if not use_cuda and model is not None:  # want: PF403 note
        model.cuda()
    if use_cuda and model is not None:  # want: PF403 note
        model = nn.DataParallel(model.cuda())
    return model


print(torch.cuda.is_available(), first)
