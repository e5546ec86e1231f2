# A function moves a tensor to the device of an argument, or makes one there; another one that it makes meets it.
# given: from drive import device
import torch


def weighed(x, n):
    steps = torch.arange(n).to(x.device)
    return steps * torch.ones(n, device=steps.device)  # want: PF302 safe, warning


def named(x, n):
    device = x.device
    steps = torch.arange(n).to(device)
    return steps * torch.ones(n, device=device)  # want: PF302 safe, warning


def spread(values, scale):
    steps = torch.arange(3, device=scale.device)  # want: PF302 safe, warning
    total = values(scale) * steps
    return total + torch.zeros(3, device=scale.device)


class Mixer:
    def __init__(self, x):
        self.x = x

    def box(self, width, share):
        cut = torch.round(width * share).to(self.x.device)
        center = torch.randint(0, width, (1,)).to(cut.device)  # want: PF302 safe, warning
        return torch.clamp(center - torch.div(cut, 2, rounding_mode="floor"), 0, width)


# run: x = torch.ones(3).to(device)
# run: print(weighed(x, 3).sum().item(), named(x, 3).sum().item(), spread(lambda s: s * 2, x).sum().item())
# run: torch.manual_seed(0)
# run: print(Mixer(x).box(4, torch.ones(1)).item())
