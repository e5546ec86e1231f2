"""What is given may be a module, a batch that moves in place, or another thing than what is used below."""
import torch


def placed(net, x, device):
    net.to(device)
    return net(x.to(device))


def in_place(batch, y, device):
    batch.to(device)
    return torch.cat([batch.x, y.to(device)])


def bound_again(x, y, device):
    x.to(device)
    x = y.to(device)
    return torch.cat([x, x])


def on_one_path(x, y, device, again):
    x.to(device)
    if again:
        x = y
    return torch.cat([x, y])


def changed(net, device):
    net = net.eval()
    net.to(device)
    return net


def of_its_parts(parts, device):
    parts = parts.train()
    for part in parts.children():
        part.to(device)


def used_before(x, device):
    y = torch.cat([x, x])
    x.to(device)
    return y
