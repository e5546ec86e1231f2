# run: print(to_gpu(torch.ones(2)).sum().item(), Agent(torch.cuda.is_available()).to_device(torch.ones(3)).sum().item())
"""Named for CUDA, and asking for it: what it is given stays on the CPU without, as it did."""
import torch


def to_gpu(x):
    x = x.contiguous()

    if torch.cuda.is_available():  # want: PF403
        x = x.cuda(non_blocking=True)
    return torch.autograd.Variable(x)


class Agent:
    def __init__(self, gpu):
        self.gpu = gpu

    def to_device(self, tensor):
        tensor = tensor.view(-1)
        if self.gpu:  # want: PF403
            return tensor.cuda()
        else:
            return tensor.cpu()
