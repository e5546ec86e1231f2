# run: print(to_gpu(torch.ones(2)).sum().item(), Agent(torch.cuda.is_available()).to_device(torch.ones(3)).sum().item())
"""Named for CUDA, and asking for it: what it is given stays on the CPU without, as it did."""
import torch


def to_gpu(x):
    x = x.contiguous()

    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    # want: PF403
    x = x.to(device, non_blocking=True)
    return torch.autograd.Variable(x)


class Agent:
    def __init__(self, gpu):
        self.gpu = gpu

    def to_device(self, tensor):
        tensor = tensor.view(-1)
        device = torch.device("cuda" if self.gpu else "cpu")
        # want: PF403
        return tensor.to(device)
