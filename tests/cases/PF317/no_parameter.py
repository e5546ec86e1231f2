# run: print(ones("cpu"), Net("cpu").ones())
import torch


class Net:
    def __init__(self, device="mps"):
        self.device = device

    def ones(self):
        return torch.ones(2, dtype=torch.float64, device=self.device)


def ones(device):
    return torch.ones(2, dtype=torch.float64, device=device)


def cast(x):
    return x.double() if x.dtype == torch.float32 else x
