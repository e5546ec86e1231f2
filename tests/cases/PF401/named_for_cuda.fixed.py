# options: unsafe
# run: print(to_cuda(torch.ones(2)).sum().item(), to_cuda([torch.ones(1)])[0].sum().item())
# run: print(move_to_cuda({"x": torch.ones(3)})["x"].sum().item())
# run: print(get_cuda_variable([1.0, 2.0]).sum().item(), Loader().to_gpu(torch.ones(2)).sum().item())
"""Functions that move what they are given, and are named for it."""
import torch
from torch.autograd import Variable


def to_cuda(tensors):
    if isinstance(tensors, torch.Tensor):
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        return tensors.to(device)  # want: PF401 unsafe
    return [to_cuda(t) for t in tensors]


def move_to_cuda(sample):
    def _move_to_cuda(tensor):
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        return tensor.to(device, non_blocking=True)  # want: PF401 unsafe

    return {k: _move_to_cuda(v) for k, v in sample.items()}


def get_cuda_variable(values):
    data = torch.tensor(values)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    return Variable(data).to(device)  # want: PF401 unsafe


def cuda(x):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    return x.float().to(device)  # want: PF401 unsafe


class Loader:
    def to_gpu(self, x):
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        return x.view(-1).to(device)  # want: PF401 unsafe
