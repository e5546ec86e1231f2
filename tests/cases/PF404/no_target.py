"""torch 1.13 has no torch.amp.GradScaler."""
import torch
from torch.cuda.amp import custom_fwd  # want: PF404 report

scaler = torch.cuda.amp.GradScaler()  # want: PF404 report


class Double(torch.autograd.Function):
    @staticmethod
    @custom_fwd
    def forward(ctx, x):
        return x * 2
