"""The number of the current GPU, which something else takes; a move to it is PF401's."""
import torch


def peak(handle_of):
    gpu = torch.cuda.current_device()  # want: PF406 report
    return handle_of(gpu)


def placed(x):
    if torch.cuda.is_available():
        print(torch.cuda.current_device())
    return x.cuda(torch.cuda.current_device()), x.to(torch.cuda.current_device())


def wrapped(net):
    return torch.nn.DataParallel(net, device_ids=[torch.cuda.current_device()])  # want: PF406 report
