import torch
import torch_npu


class NpuAccelerator:
    """The functions of one accelerator."""

    def synchronize(self, device=None):
        return torch.npu.synchronize(device)

    def set_device(self, index):
        torch.npu.set_device(index)

    def version(self):
        return torch_npu.__version__
