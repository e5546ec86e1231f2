# options: unsafe
# What it meets is made or moved in each arm; or it is converted to a dtype that has a name alone.
# run: x = torch.ones(3, 3, device=device)
# run: print(Contrast().to(device)(x).shape, Contrast().to(device)(x, mask=x).shape)
# run: print(Converted().to(device)(x, torch.float64).dtype)
import torch
from torch import nn


class Contrast(nn.Module):
    def forward(self, features, labels=None, mask=None):
        device = features.device
        n = features.shape[0]
        if labels is None and mask is None:
            mask = torch.eye(n, dtype=torch.float32).to(device)
        elif labels is not None:
            mask = torch.eq(labels, labels.T).float().to(device)
        else:
            mask = mask.float().to(device)
        mask = mask.repeat(2, 2)
        others = torch.scatter(
            torch.ones_like(mask), 1, torch.arange(n, device=mask.device).view(-1, 1), 0
        )  # want: PF304 unsafe
        return mask * others


class Converted(nn.Module):
    def forward(self, x, compute_dtype):
        x = x.to(compute_dtype)
        return x + torch.zeros(3, dtype=compute_dtype, device=x.device)  # want: PF304 unsafe


class Chunked(torch.autograd.Function):
    @staticmethod
    def forward(ctx, hidden, weight):
        ctx.save_for_backward(hidden, weight)
        return hidden @ weight

    @staticmethod
    def backward(ctx, grad):
        hidden, weight = ctx.saved_tensors
        of_hidden = torch.zeros(hidden.shape, device=hidden.device)
        buffer = torch.empty(3, 3, device=hidden.device)  # want: PF304
        for start in range(0, 3, 3):
            torch.mm(hidden[start : start + 3].float(), weight, out=buffer)
        return of_hidden + grad, buffer


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
# run: hidden = torch.ones(3, 3, device=device, requires_grad=True)
# run: Chunked.apply(hidden, torch.ones(3, 3, device=device, requires_grad=True)).sum().backward()
