import torch


class XPUBackend:
    def put(self, x):
        return x.xpu()

    def ones(self):
        return torch.ones(2).xpu()
