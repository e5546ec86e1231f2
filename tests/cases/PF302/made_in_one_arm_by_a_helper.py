# options: unsafe
# One arm of a test makes a tensor on a device, by a function that gets the device, for each item of a list, or in an expression; the other arm
# makes it on the CPU.
# given: from drive import device
# run: Head().to(device)(torch.ones(4, 3, device=device), False), inputs([2, 3], device, True), flat(torch.nn.Linear(2, 2).to(device), device, True)
import torch


def grid(n, device):
    return torch.linspace(0, 1, n, device=device).view(-1, 1)


class Head(torch.nn.Module):
    def forward(self, net, given):
        device = net.device
        if given:
            taus = grid(len(net), device)
        else:
            taus = torch.ones(len(net), 1) * 2.0 - 1.0  # want: PF302 unsafe, warning
        return self.combine(taus, net)

    def combine(self, taus, net):
        return taus.mul(net)


def inputs(sizes, device, several):
    if several:
        drawn = [torch.ones(1, size) for size in sizes]  # want: PF302 unsafe, warning
    else:
        drawn = torch.ones(1, sizes[0], device=device)
    return [d + torch.ones(1, 1, device=device).expand(1, d.shape[1]) for d in drawn]


def flat(net, device, is_flat):
    x = torch.zeros(1, 2) if is_flat else torch.zeros(1, 2, 2, device=device)  # want: PF302 unsafe, warning
    return net(x)
