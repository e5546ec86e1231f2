"""There is a device, and whether it follows the flag is not known."""
import torch
from utils import define_device


def test(model, gpu):
    cuda_available, device = define_device(gpu)
    if cuda_available:  # want: PF403 report
        model.cuda()
    return model.eval()


def run(model, device, use_cuda):
    if use_cuda:  # want: PF403 report
        model.cuda()
    return model(torch.ones(1, device=device))
