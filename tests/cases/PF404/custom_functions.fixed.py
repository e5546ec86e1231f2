# options: target-torch=2.4
import torch
from torch.amp import custom_bwd, custom_fwd  # want: PF404


class Double(torch.autograd.Function):
    @staticmethod
    @custom_fwd(device_type="cuda")
    def forward(ctx, x):
        return x * 2

    @staticmethod
    @custom_bwd(device_type="cuda")
    def backward(ctx, grad):
        return grad * 2


class Half(torch.autograd.Function):
    @staticmethod
    @custom_fwd(device_type="cuda", cast_inputs=torch.float32)
    def forward(ctx, x):
        return x / 2
# run: print(Double.apply(torch.ones(2)).sum().item(), Half.apply(torch.ones(2)).sum().item())
