"""A guard that asks where a tensor lies: what moves under it follows that tensor, and a device says so."""
import numpy as np
import torch
from torch import nn


class Bottleneck(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(2, 2, 1)
        self.alpha = torch.ones(2, 1, 1)

    def forward(self, x):
        main = self.conv(x)
        padding = torch.zeros(x.size(0), 1, x.size(2), x.size(3))
        # concatenated below: both have to lie in one place
        # want: PF403
        padding = padding.to(main.device)
        main = torch.cat((main, padding), 1)
        return main

    def weighted(self, inputs):
        # want: PF403
        self.alpha = self.alpha.to(inputs.device)
        return inputs * self.alpha

    @staticmethod
    def filled(mask, before, n):
        if before is not None and mask is not None:
            new = torch.cat([before.float(), mask.float()], dim=1)
        elif before is not None:
            filler = torch.zeros(before.size(0), n)
            # want: PF403
            filler = filler.to(before.device, non_blocking=True)
            new = torch.cat([before.float(), filler.float()], dim=1)
        else:
            filler = torch.zeros(mask.size(0), n, device=mask.device)  # want: PF403
            new = torch.cat([filler.float(), mask.float()], dim=1)
        return new


def ssim(image, size):
    window = torch.ones(size, dtype=torch.double)
    if image.is_cuda:  # want: PF403 note
        window = window.cuda(image.get_device())
    window = window.type_as(image)
    return image * window


def dice(x, y):
    if all(i == j for i, j in zip(x.shape, y.shape)):
        onehot = y
    else:
        with torch.no_grad():
            onehot = torch.zeros(x.shape, device=x.device)  # want: PF403
            onehot.scatter_(1, y, 1)
    return x * onehot


def focal(inputs, wide):
    if wide:
        out = torch.zeros(inputs.size())
    else:
        b, c = inputs.size()
        out = torch.zeros([b, c])
    # want: PF403
    out = out.to(inputs.device)
    return (inputs - out).sum()


def inverse(magnitude, sums):
    both = torch.cat([magnitude, magnitude * 2], dim=1)
    sums = torch.autograd.Variable(torch.from_numpy(sums), requires_grad=False)
    sums = sums.to(magnitude.device)  # want: PF403
    both[:, [0, 1]] /= sums[[0, 1]]
    return both


def canny(x, edges):
    # want: PF403
    edges = torch.from_numpy(edges).to(x.device).float()
    return x + edges


def given(x, y):
    y = y.view(-1)
    # want: PF403
    y = y.to(x.device)
    return x + y


def index(x, y):
    order = torch.arange(3)
    if x.device.type == "cuda":  # want: PF403 note
        order = order.cuda(x.device)
    return order


# run: gpu = torch.device("cuda" if torch.cuda.is_available() else "cpu")
# run: net = Bottleneck().to(gpu)
# run: nn.init.ones_(net.conv.weight), nn.init.zeros_(net.conv.bias)
# run: x = torch.ones(1, 2, 2, 2, device=gpu)
# run: print(net(x).sum().item(), net.weighted(x).sum().item())
# run: m = torch.ones(2, 2, device=gpu)
# run: print(net.filled(m, None, 2).sum().item(), net.filled(None, m, 3).sum().item())
# run: print(ssim(m, 2).sum().item(), dice(m, torch.zeros(2, 1, dtype=torch.long, device=gpu)).sum().item())
# run: print(focal(m, True).item(), inverse(m, np.ones(4, dtype=np.float32)).sum().item(), canny(m, np.ones(2)).sum().item())
# run: print(given(m, torch.ones(2)).sum().item(), index(m, 0).device.type == gpu.type)
