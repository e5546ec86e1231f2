"""An object whose constructor needs CUDA, by a call or in a base class of its methods' calls: no device in its methods."""
# machines: 1,2
# before: clean: it runs where there is CUDA
# run: print(Meter(1).grown(3).shape, Meter(1).shrunk(torch.ones(3)).shape)
import torch


def free_memory():
    return torch.cuda.get_device_properties(0).total_memory


class Meter:
    def __init__(self, step):
        self.free = free_memory()
        self.step = step

    def grown(self, n):
        return torch.zeros(n + self.step).cuda()  # want: PF401 report

    def shrunk(self, x):
        x = torch.relu(x).cuda()  # want: PF401 report
        return x[self.step :]
