"""There is a device, and whether it follows the flag nothing shows: not what happens in an arm, before, or nowhere."""
import torch
from utils import define_device


def test(model, gpu):
    cuda_available, device = define_device(gpu)
    if cuda_available:  # want: PF403 unsafe
        model.cuda()
    return model.eval()


def in_the_guard(x, model, device, use_cuda):
    if use_cuda:  # want: PF403 unsafe
        model.cuda()
        x = model(x.to(device))
    return x


def before(x, model, device, use_cuda):
    y = model(x.to(device))
    if use_cuda:  # want: PF403 unsafe
        model.cuda()
    return y


def in_an_arm(x, model, device, use_cuda, twice):
    if use_cuda:  # want: PF403 unsafe
        model.cuda()
    if twice:
        x = model(x.to(device))
    return x


def later(model, use_cuda):
    if use_cuda:  # want: PF403 report
        model.cuda()
    if model.training:
        device = define_device(0)
        model.x = torch.ones(1, device=device)
    return model


def by_number(model, gpus, device=None):
    use_cuda = gpus > 0
    if use_cuda:  # want: PF403 report
        model.cuda()
    return model, torch.ones(1).to(device)
