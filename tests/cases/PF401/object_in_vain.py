"""An object whose constructor needs CUDA: a new device in its methods would only look portable. Static methods need no object."""
# run: print(Meter.alone(2).shape, Meter.grown)
import torch


class Meter:
    def __init__(self):
        self.total = torch.cuda.get_device_properties(0).total_memory

    def grown(self, n):
        return torch.zeros(n).cuda()  # want: PF401 report

    @staticmethod
    def alone(n):
        return torch.zeros(n).cuda()  # want: PF401
