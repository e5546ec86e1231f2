import torch
import torch.nn as nn


def copies(net):
    return [weight.detach().clone() for weight in net.parameters()]


def where(net):
    return next(net.parameters()).device


def copied(net, device):
    assert isinstance(net, nn.Module)
    wrapped = nn.DataParallel(net)  # want: PF102 report
    kept = [weight.clone() for weight in net.parameters()]
    wrapped.to(device)
    return wrapped, kept


def copied_by_name(net, device):
    assert isinstance(net, nn.Module)
    wrapped = nn.DataParallel(net)  # want: PF102 report
    kept = {name: value.clone() for name, value in net.state_dict().items()}
    wrapped.to(device)
    return wrapped, kept


def copied_by_a_function(net, device):
    assert isinstance(net, nn.Module)
    wrapped = nn.DataParallel(net)  # want: PF102 report
    kept = copies(net)
    wrapped.to(device)
    return wrapped, kept


def saved(net, device):
    assert isinstance(net, nn.Module)
    wrapped = nn.DataParallel(net)  # want: PF102 report
    kept = torch.save(net.state_dict(), "first.pt")
    wrapped.to(device)
    return wrapped, kept


def as_arrays(net, device):
    assert isinstance(net, nn.Module)
    wrapped = nn.DataParallel(net)  # want: PF102 report
    kept = [weight.detach().numpy() for weight in net.parameters()]
    wrapped.to(device)
    return wrapped, kept


def computed_with(net, device):
    assert isinstance(net, nn.Module)
    wrapped = nn.DataParallel(net)  # want: PF102 report
    kept = net.fc.weight + torch.ones(2, 4)
    wrapped.to(device)
    return wrapped, kept


def multiplied(net, device):
    assert isinstance(net, nn.Module)
    wrapped = nn.DataParallel(net)  # want: PF102 report
    kept = torch.mm(net.fc.weight, torch.ones(4, 2))
    wrapped.to(device)
    return wrapped, kept


def compared(net, device):
    assert isinstance(net, nn.Module)
    wrapped = nn.DataParallel(net)  # want: PF102 report
    kept = (net.fc.weight > torch.zeros(4)).sum()
    wrapped.to(device)
    return wrapped, kept


def on_its_device(net, device):
    assert isinstance(net, nn.Module)
    wrapped = nn.DataParallel(net)  # want: PF102 report
    kept = torch.zeros(3, device=where(net))
    wrapped.to(device)
    return wrapped, kept


def asked(net, device):
    assert isinstance(net, nn.Module)
    wrapped = nn.DataParallel(net)  # want: PF102 report
    kept = next(net.parameters()).is_cuda
    wrapped.to(device)
    return wrapped, kept


def measured(net, device):
    assert isinstance(net, nn.Module)
    wrapped = nn.DataParallel(net)  # want: PF102 report
    kept = torch.cuda.memory_allocated()
    wrapped.to(device)
    return wrapped, kept
