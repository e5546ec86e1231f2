import torch
from torch import nn


class Threshold(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        levels = torch.tensor([0.25, 0.5])  # want: PF304
        return (x.unsqueeze(-1) > levels).float().sum(-1)

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * (x > 0)


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(1)
x = torch.randn(4).to(device).requires_grad_()
Threshold.apply(x).sum().backward()
print(f"{x.grad.sum().item():.4f}")
